import FasciaWire
import Testing
@testable import FasciaHeadUnit

@Suite struct SmallPartsTests {
    @Test func percentilesAreByNearestRank() {
        var histogram = LatencyHistogram()
        #expect(histogram.summary == nil)
        for value in 1...100 { histogram.record(Double(value)) }
        let summary = histogram.summary
        #expect(summary.map { [$0.p50, $0.p90, $0.p99, $0.max].map { $0.rounded() } } == [50, 90, 99, 100])
        for value in [Double.nan, .infinity, 1e300] { histogram.record(value) }
        #expect(histogram.summary?.count == 100)
        histogram.record(-1)
        #expect(histogram.summary?.count == 101)
    }

    func update(_ sequence: UInt32, _ labels: [UInt32: String], remove: [UInt32] = [], reset: Bool = false) -> SemanticsUpdate {
        .with {
            $0.sequence = sequence
            $0.reset = reset
            $0.remove = remove
            $0.upsert = labels.map { id, label in .with { $0.id = id; $0.label = label; $0.visible = true; $0.enabled = true; $0.width = 1; $0.height = 1 } }
        }
    }

    @Test func meaningWaitsForItsCommit() {
        var store = SemanticsStore()
        #expect(store.receive(update(1, [1: "one"]), encoded: 100, presented: 0) == nil)
        #expect(store.receive(update(2, [2: "two"], remove: [1]), encoded: 100, presented: 0) == nil)
        #expect(store.nodes.isEmpty)
        #expect(store.advance(to: 1) == nil)
        #expect(store.nodes.map(\.label) == ["one"])
        #expect(store.advance(to: 2) == nil)
        #expect(store.nodes.map(\.label) == ["two"])
        #expect(store.receive(update(2, [3: "three"], reset: true), encoded: 100, presented: 2) == nil)
        #expect(store.nodes.map(\.label) == ["three"])
    }

    @Test func tooMuchMeaningIsRefused() {
        var store = SemanticsStore()
        let many = Dictionary(uniqueKeysWithValues: (1...UInt32(SemanticsStore.maximumNodes)).map { ($0, "x") })
        #expect(store.receive(update(1, many), encoded: 100, presented: 1) == nil)
        #expect(store.receive(update(1, [9_999: "one more"]), encoded: 100, presented: 1) != nil)
        var bad = update(1, [1: "x"])
        bad.upsert[0].x = .nan
        #expect(store.receive(bad, encoded: 100, presented: 1) != nil)
        var waiting = SemanticsStore()
        for _ in 0..<SemanticsStore.maximumPending { #expect(waiting.receive(update(9, [:]), encoded: 100, presented: 1) == nil) }
        #expect(waiting.receive(update(9, [:]), encoded: 100, presented: 1) != nil)
    }

    @Test func whatIsRemovedTakesItsDescendantsAlong() {
        var store = SemanticsStore()
        var tree = update(1, [1: "list", 2: "row", 3: "text", 4: "other", 5: "its own child"])
        let parents: [UInt32: UInt32] = [2: 1, 3: 2, 5: 5]
        for index in tree.upsert.indices { tree.upsert[index].parent = parents[tree.upsert[index].id] ?? 0 }
        #expect(store.receive(tree, encoded: 100, presented: 1) == nil)
        #expect(store.receive(update(1, [2: "row again"], remove: [1, 5, 77]), encoded: 100, presented: 1) == nil)
        #expect(store.nodes.map(\.label) == ["row again", "other"])
    }

    @Test func endlessTextIsRefusedAndGivenBack() {
        let size = 1 << 20, label = String(repeating: "x", count: size)
        var store = SemanticsStore()
        for id in UInt32(1)...3 { #expect(store.receive(update(1, [id: label]), encoded: size, presented: 1) == nil) }
        #expect(store.receive(update(2, [4: label]), encoded: size, presented: 1) == nil) // waits
        #expect(store.receive(update(1, [5: label]), encoded: size, presented: 1) != nil)
        #expect(store.advance(to: 2) == nil)
        #expect(store.receive(update(2, [:], remove: [1]), encoded: 0, presented: 2) == nil)
        #expect(store.receive(update(2, [1: label]), encoded: size, presented: 2) == nil)
        #expect(store.receive(update(2, [:], reset: true), encoded: 0, presented: 2) == nil)
        #expect(store.receive(update(2, [1: label]), encoded: SemanticsStore.maximumBytes, presented: 2) == nil)
    }

    @Test func exactLabelsAndControlsWin() {
        func node(_ id: UInt32, _ label: String, _ role: SemanticNode.Role = .text, enabled: Bool = true, visible: Bool = true) -> SemanticNode {
            .with { $0.id = id; $0.label = label; $0.role = role; $0.enabled = enabled; $0.visible = visible; $0.width = 5; $0.height = 5 }
        }
        let search = SemanticsSearch(nodes: [
            node(1, "Library of songs", .row), node(2, "Library"), node(3, "Library", .tab), node(4, "Gone", .row, visible: false), node(5, "Off", .row, enabled: false),
        ])
        #expect(search.target("Library")?.id == 3)
        #expect(search.target("Library of")?.id == 1)
        #expect(search.target("Gone") == nil && search.target("Off") == nil)
        #expect(search.near("Librery").first == "Library")
        #expect(search.shows("of songs") && !search.shows("Gone"))
        #expect(search.hides("Gone") && !search.hides("Library") && !search.hides("nowhere"))
    }

    @Test func treesSurviveLoopsAndLostParents() {
        let nodes: [SemanticNode] = [.with { $0.id = 1; $0.parent = 1; $0.label = "self" }, .with { $0.id = 2; $0.parent = 9; $0.label = "lost" }, .with { $0.id = 3; $0.parent = 2; $0.label = "child" }]
        let tree = ScreenTree(screen: "phone", width: 1, height: 1, semantics: nodes)
        #expect(tree.nodes.map(\.label) == ["self", "lost"])
        #expect(tree.nodes[1].children?.first?.label == "child")
    }
}

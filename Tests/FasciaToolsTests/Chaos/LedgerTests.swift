@testable import FasciaTools
import FasciaEvents
import Testing

/// The checks of `fascia chaos` on what phone and head unit say: they can fail.
struct LedgerTests {
    private func scenes(_ records: (String, [String: EventValue])...) -> (faults: [String], open: [String]) {
        var ledger = SceneLedger()
        let faults = records.compactMap { ledger.note(EventRecord(event: $0.0, time: 0, fields: $0.1.merging(["app": "a"]) { own, _ in own })) }
        return (faults, ledger.open)
    }

    private func links(_ records: (String, String)...) -> [String] {
        var ledger = LinkLedger()
        return records.compactMap { ledger.note(EventRecord(event: $0.0, time: 0, fields: ["session": .string($0.1)])) }
    }

    @Test func aSceneThatEndsWithItsSessionIsFine() {
        let seen = scenes(("app-launched", ["pid": 1]), ("scene-connected", ["scene": 1]), ("disconnected", [:]), ("scene-disconnected", ["scene": 1]),
                          ("scene-connected", ["scene": 2]), ("app-exited", [:]), ("scene-disconnected", ["scene": 2]), ("app-launched", ["pid": 2]))
        #expect(seen.faults == [])
        #expect(seen.open == [])
    }

    @Test func aDoubleDisconnectIsFound() {
        #expect(scenes(("scene-connected", ["scene": 1]), ("disconnected", [:]), ("scene-disconnected", ["scene": 1]), ("scene-disconnected", ["scene": 1])).faults.count == 1)
    }

    @Test func aMissedDisconnectIsFound() {
        #expect(scenes(("scene-connected", ["scene": 1]), ("disconnected", [:])).open.count == 1)
        #expect(scenes(("scene-connected", ["scene": 1]), ("disconnected", [:]), ("scene-connected", ["scene": 2])).faults.count == 1)
    }

    @Test func aDisconnectWithoutReasonIsFound() {
        #expect(scenes(("scene-connected", ["scene": 1]), ("scene-disconnected", ["scene": 1])).faults.count == 1)
    }

    @Test func aSceneThatWasConnectingWhenItsSessionEndedIsFine() {
        #expect(scenes(("app-launched", ["pid": 1]), ("disconnected", [:]), ("scene-connected", ["scene": 1]), ("scene-disconnected", ["scene": 1])).faults == [])
    }

    @Test func anAppThatRunsTwiceIsFound() {
        #expect(scenes(("app-launched", ["pid": 1]), ("app-launched", ["pid": 2])).faults.count == 1)
    }

    @Test func sessionsComeAndGoOnce() {
        #expect(links(("connected", "1"), ("suspended", "1"), ("resumed", "1"), ("disconnected", "1"), ("connected", "2")) == [])
        #expect(links(("connected", "1"), ("connected", "2")).count == 1)
        #expect(links(("connected", "1"), ("resumed", "2")).count == 1)
        #expect(links(("connected", "1"), ("disconnected", "1"), ("resumed", "1")).count == 1)
        #expect(links(("connected", "1"), ("disconnected", "1"), ("disconnected", "1")).count == 1)
    }

    @Test func aRuleThatAnEndBreaksIsFound() {
        for (reason, faults) in [("BAD_COMMIT", 1), ("GOODBYE", 0)] {
            var ledger = LinkLedger()
            let records = [EventRecord(event: "connected", time: 0, fields: ["session": "1"]), EventRecord(event: "disconnected", time: 0, fields: ["reason": .string(reason)])]
            let found = records.compactMap { ledger.note($0) }
            #expect(found.count == faults)
        }
    }

    @Test func growthIsFound() {
        var watch = ResourceWatch()
        for _ in 0..<20 { #expect(watch.note(descriptors: 20, memory: 50 << 20, apps: 1) == nil) }
        #expect(watch.note(descriptors: 20 + ResourceWatch.slack + 1, memory: 50 << 20, apps: 1) != nil)
        #expect(watch.note(descriptors: 20, memory: 51 << 20 + ResourceWatch.growth, apps: 1) != nil)
    }

    @Test func aCycleIsMadeOfItsSeedAndNumberAlone() {
        #expect(CyclePlan(seed: 1, number: 2) == CyclePlan(seed: 1, number: 2))
        #expect(CyclePlan(seed: 1, number: 2) != CyclePlan(seed: 2, number: 2))
        #expect(Set((0..<2_000).map { CyclePlan(seed: 1, number: $0).kind }) == Set(FaultKind.allCases))
    }
}

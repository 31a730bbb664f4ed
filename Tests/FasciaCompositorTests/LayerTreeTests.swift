import FasciaScene
import FasciaWire
import Testing
@testable import FasciaCompositor

/// A commit is applied whole or refused with the reason, the tree as it was.
@Suite struct LayerTreeTests {
    let scene = LayerScene()

    @Test func hostileCommitsAreRefusedAndChangeNothing() throws {
        try scene.apply(commit(1, [wireLayer(1)]))
        let cases: [(DisplayError.Code, Commit)] = [
            (.sequenceOutOfOrder, commit(1, [wireLayer(2)])),
            (.sequenceOutOfOrder, commit(3, [wireLayer(2)])),
            (.zeroIdentifier, commit(2, [wireLayer(2), wireLayer(0)])),
            (.missingParent, commit(2, [wireLayer(2, parent: 9)])),
            (.missingParent, commit(2, [wireLayer(2, parent: 1)], reset: true)),
            (.cycle, commit(2, [wireLayer(2, parent: 3), wireLayer(3, parent: 2)])),
            (.cycle, commit(2, [wireLayer(1, parent: 1)])),
            (.notFinite, commit(2, [wireLayer(2) { $0.x = .nan }])),
            (.notFinite, commit(2, [wireLayer(2) { $0.transparency = .infinity }])),
            (.notFinite, commit(2, [wireLayer(2) { $0.scrollY = -.infinity }])),
            (.notFinite, commit(2, [wireLayer(2) { $0.animations = [.with { $0.to = .nan }] }])),
            (.outOfRange, commit(2, [wireLayer(2) { $0.width = -1 }])),
            (.outOfRange, commit(2, [wireLayer(2) { $0.y = 3e9 }])),
            (.tooManyLayers, commit(2, (2...4_097).map { wireLayer($0) })),
            (.tooManyAnimations, commit(2, [wireLayer(2) { $0.animations = .init(repeating: Animation(), count: 17) }])),
            (.tooDeep, commit(2, (2...40).map { wireLayer($0, parent: $0 - 1) })),
            (.unknownResource, commit(2, [wireLayer(2) { $0.image = .with { $0.resource = 5 } }])),
        ]
        for (expected, change) in cases {
            #expect(code { () throws(DisplayError) in try scene.apply(change) } == expected)
            #expect(scene.layerCount == 1)
            #expect(scene.sequence == 1)
        }
        try scene.apply(commit(2, [wireLayer(2, parent: 1)]))
        #expect(scene.layerCount == 2)
    }

    @Test func theFirstCommitAfterAResumeMayFollowAGap() throws {
        try scene.apply(commit(1, [wireLayer(1)]))
        scene.resume()
        #expect(code { () throws(DisplayError) in try scene.apply(commit(1)) } == .sequenceOutOfOrder)
        try scene.apply(commit(7, [wireLayer(2)]))
        #expect(scene.sequence == 7)
        #expect(code { () throws(DisplayError) in try scene.apply(commit(9)) } == .sequenceOutOfOrder)
        try scene.apply(commit(8))
    }

    @Test func removingALayerTakesItsDescendants() throws {
        try scene.apply(commit(1, [wireLayer(1), wireLayer(2, parent: 1), wireLayer(3, parent: 2), wireLayer(4)]))
        try scene.apply(commit(2, remove: [1, 77]))
        #expect(scene.tree.drawOrder.map(\.properties.id) == [4])
    }

    @Test func aLayerMayMoveAwayFromAParentThatGoes() throws {
        try scene.apply(commit(1, [wireLayer(1), wireLayer(2, parent: 1)]))
        try scene.apply(commit(2, [wireLayer(2)], remove: [1]))
        #expect(scene.tree.drawOrder.map(\.properties.id) == [2])
    }

    @Test func childrenMayComeBeforeTheirParents() throws {
        try scene.apply(commit(1, [wireLayer(5, parent: 6), wireLayer(6)]))
        #expect(scene.tree.drawOrder.map(\.properties.id) == [6, 5])
    }

    @Test func resetForgetsAndZeroBackgroundKeeps() throws {
        try scene.apply(Commit.with { $0.sequence = 1; $0.background = 0x112233FF; $0.upsert = [wireLayer(1)] })
        try scene.apply(commit(2, [wireLayer(7)], reset: true))
        #expect(scene.tree.drawOrder.map(\.properties.id) == [7])
        #expect(scene.tree.background == Color(0x11, 0x22, 0x33))
    }

    @Test func aReleasedPictureStaysWhereItIsShown() throws {
        let image = try raster(.a8, 1, 1, [255])
        try scene.resources.store(resourceBody(id: 1, image))
        try scene.apply(commit(1, [wireLayer(1) { $0.image = .with { $0.resource = 1; $0.tint = 0xFF0000FF } }]))
        scene.resources.release([1])
        #expect(scene.resources.byteCount > 0)
        let compositor = Compositor(width: 2, height: 2, scenes: [scene])
        compositor.compose(at: 0)
        #expect(Picture(compositor.snapshot(), width: 2).reds == ["##", "##"])
        try scene.apply(commit(2, remove: [1]))
        compositor.compose(at: 1)
        #expect(scene.resources.byteCount == 0)
    }
}

import FasciaScene
import FasciaWire
import Testing
@testable import FasciaCompositor

/// Only what changed is painted, and what is painted equals a full repaint.
@Suite struct DamageTests {
    let scene = LayerScene()
    let compositor: Compositor

    init() throws {
        compositor = Compositor(width: 100, height: 60, scenes: [scene])
        try scene.show(frame(
            layer(1, 0, 0, 50, 20, .solid(red)),
            layer(2, 10, 30, 20, 20, .gradient(top: red, bottom: white)) { $0.cornerRadius = 6; $0.opacity = 0.7 },
            layer(3, order: 1, 60, 10, 20, 20, .solid(Color(255, 0, 0, 100)))))
        #expect(compositor.compose(at: 0) == [compositor.bounds])
    }

    func expectSameAsFullRepaint() {
        let partial = compositor.snapshot()
        compositor.invalidate()
        compositor.compose(at: 0)
        #expect(compositor.snapshot() == partial)
    }

    @Test func nothingChangedNothingPainted() {
        #expect(compositor.compose(at: 5).isEmpty)
        #expect(compositor.nextFrameDeadline(now: 5) == nil)
    }

    @Test func changedLayerDamagesItsOldAndNewPlace() throws {
        var next = frame(
            layer(1, 0, 0, 50, 20, .solid(red)),
            layer(2, 10, 30, 20, 20, .gradient(top: red, bottom: white)) { $0.cornerRadius = 6; $0.opacity = 0.7 },
            layer(3, order: 1, 64, 10, 20, 20, .solid(Color(255, 0, 0, 100))))
        try scene.show(next)
        #expect(compositor.compose(at: 1) == [PixelRect(left: 60, top: 10, right: 84, bottom: 30)])
        expectSameAsFullRepaint()
        next.layers.remove(at: 0)
        try scene.show(next)
        #expect(compositor.compose(at: 2) == [PixelRect(x: 0, y: 0, width: 50, height: 20)])
        expectSameAsFullRepaint()
    }

    @Test func movedParentDamagesWhatItsChildrenShow() throws {
        let child = layer(11, parent: 10, 1, 1, 3, 3, .solid(red))
        try scene.show(frame(layer(10, 0, 0, 50, 50), child))
        compositor.compose(at: 1)
        try scene.show(frame(layer(10, 20, 0, 50, 50), child))
        #expect(compositor.compose(at: 2) == [PixelRect(x: 1, y: 1, width: 3, height: 3), PixelRect(x: 21, y: 1, width: 3, height: 3)])
    }

    @Test func changedOrderDamages() throws {
        let green = Color(0, 255, 0)
        func stack(_ order: Int32) -> SceneFrame { frame(layer(1, 0, 0, 9, 9, .solid(red)), layer(2, order: order, 5, 5, 9, 9, .solid(green))) }
        try scene.show(stack(1))
        compositor.compose(at: 1)
        try scene.show(stack(-1))
        #expect(!compositor.compose(at: 2).isEmpty)
        #expect(Picture(compositor.snapshot(), width: 100).rgb(7, 7) == 0xFF0000)
    }

    @Test func spinnerDamagesOnlyItsBoxAtTwelveStepsATurn() throws {
        let mask = try raster(.a8, 8, 8, [UInt8](repeating: 200, count: 64))
        let spin = SceneLayer.Animation(id: 1, property: .rotation, from: 0, to: 360, milliseconds: 1_200, curve: .steps12, repeats: true)
        try scene.show(frame(layer(1, 40, 20, 8, 8, .image(mask, tint: red)) { $0.animations = [spin] }))
        compositor.compose(at: 1_000)
        let next = try #require(compositor.nextFrameDeadline(now: 1_000))
        #expect(next == 1_000 + 100_000_000)
        let damage = compositor.compose(at: next)
        #expect(damage.count == 1)
        #expect(damage[0].width <= 16 && damage[0].height <= 16)
        #expect(compositor.nextFrameDeadline(now: next) == 1_000 + 200_000_000)
    }

    @Test func manyChangesStayFewRectangles() {
        var rectangles: [PixelRect] = []
        for x in 0..<40 { DamageTracker.add(PixelRect(x: x * 10, y: (x * 37) % 50, width: 5, height: 5), to: &rectangles) }
        #expect(rectangles.count <= DamageTracker.maximumRectangles)
        for (index, one) in rectangles.enumerated() {
            for other in rectangles[(index + 1)...] { #expect(!one.intersects(other)) }
        }
    }

    @Test func aSceneOnTopDimsTheOneBelow() throws {
        let notice = LayerScene()
        try notice.show(SceneFrame(background: Color(rgba: 0), layers: [layer(1, 0, 0, 100, 60, .solid(Color(0, 0, 0, 128)))]))
        compositor.scenes.append(notice)
        #expect(compositor.compose(at: 1) == [compositor.bounds])
        #expect(Picture(compositor.snapshot(), width: 100).rgb(2, 2) == 0x7F0000)
    }
}

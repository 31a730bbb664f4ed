import FasciaScene
import FasciaWire
import Testing
@testable import FasciaCompositor

/// Animations start when first presented, go on under the same id, and end at the layer's plain value.
@Suite struct AnimationTests {
    let scene = LayerScene()
    let compositor: Compositor
    let millisecond: UInt64 = 1_000_000

    init() { compositor = Compositor(width: 100, height: 1, scenes: [scene]) }

    func slide(_ id: UInt32 = 1, curve: Animation.Curve = .linear, repeats: Bool = false) -> SceneLayer.Animation {
        .init(id: id, property: .x, from: 90, to: 10, milliseconds: 100, curve: curve, repeats: repeats)
    }
    func show(_ animations: SceneLayer.Animation..., x: Float = 10) throws {
        try scene.show(frame(layer(1, x, 0, 1, 1, .solid(red)) { $0.animations = animations }))
    }
    /// Where the red pixel is at a time.
    func position(at now: UInt64) -> Int? {
        compositor.compose(at: now)
        return Array(Picture(compositor.snapshot(), width: 100).reds[0]).firstIndex(of: "#")
    }

    @Test func runsFromFirstPresentationToThePlainValue() throws {
        try show(slide())
        #expect(position(at: 1_000 * millisecond) == 90)
        #expect(compositor.nextFrameDeadline(now: 1_000 * millisecond) == 1_000 * millisecond + Compositor.frameInterval)
        #expect(position(at: 1_050 * millisecond) == 50)
        #expect(position(at: 1_095 * millisecond) == 14)
        #expect(compositor.nextFrameDeadline(now: 1_095 * millisecond) == 1_100 * millisecond)
        #expect(position(at: 1_100 * millisecond) == 10)
        #expect(compositor.nextFrameDeadline(now: 1_100 * millisecond) == nil)
    }

    @Test func aKnownIdGoesOnAndANewOneStarts() throws {
        try show(slide())
        #expect(position(at: 0) == 90)
        try show(slide(), x: 11)
        #expect(position(at: 50 * millisecond) == 50)
        try show(slide(2))
        #expect(position(at: 60 * millisecond) == 90)
        #expect(position(at: 160 * millisecond) == 10)
        try show(slide(2))
        #expect(position(at: 170 * millisecond) == 10)
    }

    @Test func repeatsForEver() throws {
        try show(slide(repeats: true))
        #expect(position(at: 0) == 90)
        #expect(position(at: 1_050 * millisecond) == 50)
        #expect(compositor.nextFrameDeadline(now: 1_050 * millisecond) != nil)
    }

    @Test func stepsHoldBetweenSteps() throws {
        try show(slide(curve: .steps12))
        #expect(position(at: 0) == 90)
        #expect(position(at: 8 * millisecond) == 90)
        #expect(compositor.nextFrameDeadline(now: 8 * millisecond) == 8_333_334)
        #expect(position(at: 9 * millisecond) == 83)
    }

    @Test func easingIsMonotonicFromZeroToOne() {
        for curve in [Animation.Curve.linear, .easeInOut, .easeOut, .steps12] {
            let values = (0...100).map { RunningAnimation.ease(Float($0) / 100, curve) }
            #expect(values.first == 0 && values.last == 1)
            #expect(zip(values, values.dropFirst()).allSatisfy { $0 <= $1 })
        }
    }

    @Test func aFrozenSceneStandsStill() throws {
        try show(slide(repeats: true))
        #expect(position(at: 0) == 90)
        scene.frozenAt = 50 * millisecond
        #expect(position(at: 50 * millisecond) == 50)
        #expect(position(at: 70 * millisecond) == 50)
        #expect(compositor.nextFrameDeadline(now: 70 * millisecond) == nil)
    }

    @Test func zeroDurationAndHugeDurationsAreHarmless() throws {
        try show(.init(id: 1, property: .x, from: 1, to: 2, milliseconds: 0, repeats: true),
                 .init(id: 2, property: .width, from: 0, to: 90, milliseconds: .max, curve: .steps12))
        #expect(position(at: 1 << 62) == nil)
        #expect(compositor.nextFrameDeadline(now: 1 << 62) != nil)
    }
}

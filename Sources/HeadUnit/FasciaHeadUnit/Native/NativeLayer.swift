import FasciaCompositor
import FasciaScene
import FasciaWire

/// One of the car's own pictures: painted again only when what it shows has changed.
@MainActor
final class NativeLayer<Model: Equatable> {
    let scene: LayerScene
    private(set) var semantics: [SemanticNode] = []
    private var shown: Model?
    /// Of its nodes, so that they stay apart from those of the phone's picture below, which begin at 1.
    private let idBits: UInt32

    init(limits: DisplayLimits, idBits: UInt32 = 0) {
        scene = LayerScene(limits: limits)
        self.idBits = idBits
    }

    func show(_ model: Model, _ paint: () -> SceneFrame) {
        guard shown != model else { return }
        shown = model
        var frame = paint()
        if idBits > 0 {
            for index in frame.semantics.indices {
                frame.semantics[index].id |= idBits
                frame.semantics[index].order += 100_000 // it lies above
            }
        }
        semantics = frame.semantics
        do { try scene.show(frame) } catch { assertionFailure("\(error)") }
    }
}

extension SceneFrame {
    /// Nothing, over whatever lies below.
    static var transparent: SceneFrame { SceneFrame(background: Color(rgba: 0)) }
}

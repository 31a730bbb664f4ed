import FasciaScene

/// A change of page under way. It runs on the head unit; the phone only knows when it is over.
struct Transition: Equatable {
    enum Style { case push, pop, fade }

    var id: UInt32
    var style: Style
    var from: TemplateUI.PageKey
    var start: UInt64
    var end: UInt64

    static let slide: UInt64 = 300_000_000
    static let fade: UInt64 = 180_000_000

    init(id: UInt32, style: Style, from: TemplateUI.PageKey, now: UInt64) {
        self.id = id
        self.style = style
        self.from = from
        start = now
        end = now &+ (style == .fade ? Self.fade : Self.slide)
    }

    private var milliseconds: UInt32 { UInt32((end - start) / 1_000_000) }

    func applyIncoming(to layer: inout SceneLayer) {
        switch style {
        case .push: layer.animations = [.init(id: id, property: .x, from: layer.width, to: 0, milliseconds: milliseconds, curve: .easeOut)]
        case .pop: layer.animations = [.init(id: id, property: .x, from: -layer.width, to: 0, milliseconds: milliseconds, curve: .easeOut)]
        case .fade: layer.animations = [.init(id: id, property: .transparency, from: 1, to: 0, milliseconds: milliseconds, curve: .easeOut)]
        }
    }

    func applyOutgoing(to layer: inout SceneLayer) {
        switch style {
        case .push, .pop:
            let away = style == .push ? -layer.width : layer.width
            layer.x = away
            layer.animations = [.init(id: id, property: .x, from: 0, to: away, milliseconds: milliseconds, curve: .easeOut)]
        case .fade:
            layer.opacity = 0
            layer.animations = [.init(id: id, property: .transparency, from: 0, to: 1, milliseconds: milliseconds, curve: .easeOut)]
        }
    }
}

import FasciaAppLink
import FasciaWire

/// What choosing an element does.
enum ElementAction: Hashable {
    case none
    case home
    case back
    case openApplication(String)
    case showNowPlaying
    case barButton(template: UInt64, element: UInt64)
    /// A list row or an image of an image row; answered by SelectionCompleted.
    case select(template: UInt64, element: UInt64, index: Int?)
    /// Any other button of a template.
    case activate(template: UInt64, element: UInt64)
    case chooseModal(template: UInt64, element: UInt64)
    case tab(UInt64)
    case command(AppRemoteCommand.Kind)
    case upNext
    case albumArtist
    case jump(Double)
    case closeNotice
}

/// Something on the screen that can be touched, focused or read out.
struct Element {
    enum Group { case dock, main }

    var key: String
    /// Points of the screen, as if nothing was scrolled.
    var frame: Rect
    /// Scrolls with the page.
    var scrolls = false
    var group = Group.main
    var action = ElementAction.none
    var focusable = true
    /// Preferred place of the focus on a new page: the lowest wins.
    var focusRank = 100
    var cornerRadius = 10.0
    /// On an accent ground: the ring needs another colour.
    var isProminent = false
    /// Where the highlight goes: a layer and the element's place in it (points).
    var layer: UInt32 = 0
    var local: Rect = .zero

    var role: SemanticNode.Role = .button
    var label = ""
    var value = ""
    var identifier = ""
    var enabled = true
    var selected = false
    var busy = false
}

import FasciaSound

/// What the car shows of its sound over everything else, phone's picture included.
struct SoundOverlay: Equatable {
    /// A route's volume, for a moment after it was changed.
    struct Level: Equatable {
        var route: AudioRoute
        /// 0 to 100.
        var percent: Int
        var muted: Bool
    }

    var level: Level?
    /// The microphone is open, for as long as it is; for whom, in the phone's words, which are not shown.
    var listener: String?
    /// It was opened a moment ago: said in words.
    var isListenerNew = false

    var isEmpty: Bool { self == SoundOverlay() }
}

extension AudioRoute {
    /// As drivers read it.
    var title: String {
        switch self {
        case .media: "Media"
        case .navigation: "Navigation"
        case .telephony: "Phone"
        case .assistant: "Assistant"
        case .alert: "Alerts"
        case .ui: "Touch sounds"
        }
    }
}

/// What a sound is for; each route has a channel of its own on the link, 32 + raw value, and a volume of its own in the car.
public enum AudioRoute: UInt8, Hashable, Sendable, CaseIterable {
    case media
    /// Turn prompts.
    case navigation
    case telephony
    case assistant
    case alert
    /// Clicks of the user interface.
    case ui

    /// Word for console, files and logs.
    public var name: String {
        switch self {
        case .media: "media"
        case .navigation: "navigation"
        case .telephony: "telephony"
        case .assistant: "assistant"
        case .alert: "alert"
        case .ui: "ui"
        }
    }
}

/// What an app is for, as its CarPlay entitlement says. Source: CarPlay Developer Guide, "Entitlements".
public enum AppCategory: String, Sendable, CaseIterable {
    case audio = "com.apple.developer.carplay-audio"
    case communication = "com.apple.developer.carplay-communication"
    case drivingTask = "com.apple.developer.carplay-driving-task"
    case charging = "com.apple.developer.carplay-charging"
    case fueling = "com.apple.developer.carplay-fueling"
    case navigation = "com.apple.developer.carplay-maps"
    case parking = "com.apple.developer.carplay-parking"
    case publicSafety = "com.apple.developer.carplay-public-safety"
    case quickOrdering = "com.apple.developer.carplay-quick-ordering"
    case video = "com.apple.developer.carplay-video"
    case voiceConversation = "com.apple.developer.carplay-voice-based-conversation"

    /// Only these pairs may be asked for together.
    public static let combinations: [Set<AppCategory>] = [[.charging, .fueling], [.audio, .video]]

    /// The entitlement key, Apple's name.
    public var entitlement: String { rawValue }
}

import FasciaSound

/// What an app has set its session to.
public struct AudioSettings: Hashable, Sendable {
    public var category: AudioCategory
    public var mode: AudioMode
    public var options: AudioOptions

    /// What a session is before the app says anything, as on iOS.
    public static let initial = AudioSettings(.soloAmbient)

    public init(_ category: AudioCategory, mode: AudioMode = .default, options: AudioOptions = []) {
        self.category = category
        self.mode = mode
        self.options = options
    }

    /// - Throws: `.badParam` for unknown names, and for what Apple's documentation of modes and options does not allow together.
    public init(category: String, mode: String, options: UInt32) throws(AudioSessionError) {
        guard let category = AudioCategory(rawValue: category), let mode = AudioMode(rawValue: mode) else { throw .badParam }
        self.init(category, mode: mode, options: AudioOptions(rawValue: options))
        let mixing: AudioOptions = [.mixWithOthers, .duckOthers, .interruptSpokenAudioAndMixWithOthers]
        guard category.mixesByOption || self.options.isDisjoint(with: mixing) else { throw .badParam }
        guard category == .playAndRecord || !self.options.contains(.defaultToSpeaker) && !mode.isChat else { throw .badParam }
        guard category.records || mode != .videoRecording else { throw .badParam }
    }

    /// Leaves other sessions alone when it becomes active, and is left alone by them.
    public var mixes: Bool { category == .ambient || !options.isDisjoint(with: [.mixWithOthers, .duckOthers]) }
    public var ducksOthers: Bool { options.contains(.duckOthers) }
    public var interruptsSpokenAudio: Bool { options.contains(.interruptSpokenAudioAndMixWithOthers) }
    /// Somebody talks over it: nothing else than prompts beside it.
    public var isCall: Bool { route == .telephony }

    /// Where its streams go in the car.
    public var route: AudioRoute {
        if mode == .voicePrompt { return .navigation }
        if category == .playAndRecord, mode.isChat { return .telephony }
        return category == .playAndRecord || category == .record ? .assistant : .media
    }
}

/// `AVAudioSession.Category`; raw values are Apple's.
public enum AudioCategory: String, Hashable, Sendable, CaseIterable {
    case ambient = "AVAudioSessionCategoryAmbient"
    case soloAmbient = "AVAudioSessionCategorySoloAmbient"
    case playback = "AVAudioSessionCategoryPlayback"
    case record = "AVAudioSessionCategoryRecord"
    case playAndRecord = "AVAudioSessionCategoryPlayAndRecord"
    case multiRoute = "AVAudioSessionCategoryMultiRoute"

    var records: Bool { self == .record || self == .playAndRecord || self == .multiRoute }
    /// Whether an app says by an option if it mixes. The others do, or do not, by themselves.
    var mixesByOption: Bool { self == .playback || self == .playAndRecord || self == .multiRoute }
}

/// `AVAudioSession.Mode`; raw values are Apple's.
public enum AudioMode: String, Hashable, Sendable, CaseIterable {
    case `default` = "AVAudioSessionModeDefault"
    case gameChat = "AVAudioSessionModeGameChat"
    case measurement = "AVAudioSessionModeMeasurement"
    case moviePlayback = "AVAudioSessionModeMoviePlayback"
    case raw = "AVAudioSessionModeRaw"
    case spokenAudio = "AVAudioSessionModeSpokenAudio"
    case videoChat = "AVAudioSessionModeVideoChat"
    case videoRecording = "AVAudioSessionModeVideoRecording"
    case voiceChat = "AVAudioSessionModeVoiceChat"
    case voicePrompt = "AVAudioSessionModeVoicePrompt"

    var isChat: Bool { self == .voiceChat || self == .videoChat || self == .gameChat }
}

/// `AVAudioSession.CategoryOptions`; raw values are Apple's.
public struct AudioOptions: OptionSet, Hashable, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let mixWithOthers = AudioOptions(rawValue: 0x1)
    public static let duckOthers = AudioOptions(rawValue: 0x2)
    public static let allowBluetooth = AudioOptions(rawValue: 0x4)
    public static let defaultToSpeaker = AudioOptions(rawValue: 0x8)
    /// Apple's value contains `mixWithOthers`.
    public static let interruptSpokenAudioAndMixWithOthers = AudioOptions(rawValue: 0x11)
    public static let allowBluetoothA2DP = AudioOptions(rawValue: 0x20)
    public static let allowAirPlay = AudioOptions(rawValue: 0x40)
    public static let overrideMutedMicrophoneInterruption = AudioOptions(rawValue: 0x80)
}

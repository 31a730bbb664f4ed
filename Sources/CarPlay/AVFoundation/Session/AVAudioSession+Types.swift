import Foundation

extension AVAudioSession {
    public struct Category: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let ambient = Self(rawValue: "AVAudioSessionCategoryAmbient")
        public static let soloAmbient = Self(rawValue: "AVAudioSessionCategorySoloAmbient")
        public static let playback = Self(rawValue: "AVAudioSessionCategoryPlayback")
        public static let record = Self(rawValue: "AVAudioSessionCategoryRecord")
        public static let playAndRecord = Self(rawValue: "AVAudioSessionCategoryPlayAndRecord")
        public static let multiRoute = Self(rawValue: "AVAudioSessionCategoryMultiRoute")

        static let all: [Self] = [.ambient, .soloAmbient, .playback, .record, .playAndRecord, .multiRoute]
        var records: Bool { self == .record || self == .playAndRecord || self == .multiRoute }
        /// It may mix with others though no option says so, or not at all.
        var allowsMixingOptions: Bool { self == .playback || self == .playAndRecord || self == .multiRoute || self == .ambient }
    }

    public struct Mode: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let `default` = Self(rawValue: "AVAudioSessionModeDefault")
        public static let voiceChat = Self(rawValue: "AVAudioSessionModeVoiceChat")
        public static let gameChat = Self(rawValue: "AVAudioSessionModeGameChat")
        public static let videoRecording = Self(rawValue: "AVAudioSessionModeVideoRecording")
        public static let measurement = Self(rawValue: "AVAudioSessionModeMeasurement")
        public static let moviePlayback = Self(rawValue: "AVAudioSessionModeMoviePlayback")
        public static let videoChat = Self(rawValue: "AVAudioSessionModeVideoChat")
        public static let spokenAudio = Self(rawValue: "AVAudioSessionModeSpokenAudio")
        public static let voicePrompt = Self(rawValue: "AVAudioSessionModeVoicePrompt")

        static let all: [Self] = [.default, .voiceChat, .gameChat, .videoRecording, .measurement, .moviePlayback, .videoChat, .spokenAudio, .voicePrompt]
    }

    public struct CategoryOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let mixWithOthers = Self(rawValue: 0x1)
        public static let duckOthers = Self(rawValue: 0x2)
        public static let allowBluetooth = Self(rawValue: 0x4)
        public static let allowBluetoothHFP = Self(rawValue: 0x4)
        public static let defaultToSpeaker = Self(rawValue: 0x8)
        /// Contains `mixWithOthers`.
        public static let interruptSpokenAudioAndMixWithOthers = Self(rawValue: 0x11)
        public static let allowBluetoothA2DP = Self(rawValue: 0x20)
        public static let allowAirPlay = Self(rawValue: 0x40)
        public static let overrideMutedMicrophoneInterruption = Self(rawValue: 0x80)

        static let known: Self = Self(rawValue: 0xFF)
    }

    public struct SetActiveOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let notifyOthersOnDeactivation = Self(rawValue: 1)
    }

    public enum RouteSharingPolicy: UInt, Sendable {
        case `default` = 0
        case longFormAudio = 1
        case independent = 2
        case longFormVideo = 3
        public static var longForm: Self { .longFormAudio }
    }

    public enum InterruptionType: UInt, Sendable { case ended = 0, began = 1 }

    public struct InterruptionOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let shouldResume = Self(rawValue: 1)
    }

    public enum InterruptionReason: UInt, Sendable { case `default` = 0, appWasSuspended = 1, builtInMicMuted = 2, routeDisconnected = 4 }

    public enum RouteChangeReason: UInt, Sendable {
        case unknown = 0
        case newDeviceAvailable = 1
        case oldDeviceUnavailable = 2
        case categoryChange = 3
        case override = 4
        case wakeFromSleep = 6
        case noSuitableRouteForCategory = 7
        case routeConfigurationChange = 8
    }

    public enum SilenceSecondaryAudioHintType: UInt, Sendable { case end = 0, begin = 1 }

    public enum RecordPermission: UInt, Sendable {
        case undetermined = 0x756E_6474 // 'undt'
        case denied = 0x6465_6E79 // 'deny'
        case granted = 0x6772_6E74 // 'grnt'
    }

    public enum PortOverride: UInt, Sendable { case none = 0, speaker = 0x7370_6B72 }
    public enum IOType: UInt, Sendable { case notSpecified, aggregated }
    public enum PromptStyle: UInt, Sendable { case none = 0x6E6F_6E65, short = 0x7368_7274, normal = 0x6E72_6D6C }
}

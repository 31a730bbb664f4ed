import FasciaAudioSession

/// Drives a policy and writes what it says to apps as short words, so that a test reads as a table.
struct Diary {
    var policy = AudioSessionPolicy()
    private var numbers: UInt64 = 0

    static let music = AudioSettings(.playback)
    static let podcast = AudioSettings(.playback, mode: .spokenAudio)
    static let prompt = AudioSettings(.playback, mode: .voicePrompt, options: [.duckOthers, .interruptSpokenAudioAndMixWithOthers])
    static let duckingPrompt = AudioSettings(.playback, mode: .voicePrompt, options: .duckOthers)
    static let call = AudioSettings(.playAndRecord, mode: .voiceChat)
    static let assistant = AudioSettings(.playAndRecord)
    static let politeMusic = AudioSettings(.playback, options: .mixWithOthers)

    /// Becomes active with these settings, and sounds.
    mutating func plays(_ app: AudioApp, _ settings: AudioSettings) -> [String] {
        let words = active(app, settings)
        return words + (policy.maySound(app) ? does { $0.sounding(app, true) } : [])
    }

    mutating func active(_ app: AudioApp, _ settings: AudioSettings) -> [String] {
        numbers += 1
        let number = numbers
        return does { $0.request(app, number: number, active: true, settings: settings) }
    }

    /// Stops sounding and becomes inactive.
    mutating func ends(_ app: AudioApp, _ settings: AudioSettings, telling: Bool = true) -> [String] {
        numbers += 1
        let number = numbers
        return does { $0.sounding(app, false) } + does { $0.request(app, number: number, active: false, settings: settings, notifyOthers: telling) }
    }

    mutating func does(_ input: (inout AudioSessionPolicy) -> [PolicyOutput]) -> [String] { input(&policy).compactMap(Self.word) }

    private static func word(_ output: PolicyOutput) -> String? {
        switch output {
        case .reply(_, _, nil): nil
        case .reply(let app, _, let error?): "\(app): \(error)"
        case .endStreams(let app, .inactive): "\(app): streams over"
        case .endStreams: nil // always with the interruption
        case .interruptionBegan(let app, _): "\(app): began"
        case .interruptionEnded(let app, let resume): "\(app): ended\(resume ? ", resume" : "")"
        case .hint(let app, let begin): "\(app): \(begin ? "hush" : "unhush")"
        case .routeChange(let app, let reason): "\(app): \(reason)"
        case .ownership(.take(let user), _): user ? "take" : "take if nobody minds"
        case .ownership(.borrow(let call), _): call ? "borrow for a call" : "borrow"
        case .ownership(.giveBack, _): "give back"
        case .ownership(.withdraw, _): "withdraw"
        case .states(let states): states == AudioStates() ? "states none" : "states \(states.call ? "call" : "\(states.speech)")"
        }
    }
}

import FasciaAudioSession
import FuzzCore

/// Input: what three apps and the car do, a few bytes each.
@Sendable func checkAudioPolicy(_ input: [UInt8]) -> String? {
    var input = FuzzInput(input)
    var subject = PolicySubject()
    while !input.isEmpty {
        if let problem = subject.perform(&input) { return problem }
    }
    return subject.end()
}

private struct PolicySubject {
    private var policy = AudioSessionPolicy()
    /// Requests without an answer, by app.
    private var open: [AudioApp: Set<UInt64>] = [:]
    private var number: UInt64 = 0
    private var interrupted: Set<AudioApp> = []

    private static let apps: [AudioApp] = ["music", "podcast", "phone"]

    mutating func perform(_ input: inout FuzzInput) -> String? {
        let command = input.byte()
        let app = Self.apps[Int(command >> 4 & 3) % 3]
        switch command & 15 {
        case 0, 1, 2, 3: return request(app, &input, active: command & 15 < 3)
        case 4: return took(policy.streamStarted(app))
        case 5: return took(policy.sounding(app, command & 128 != 0))
        case 6: return took(policy.listening(app, command & 128 != 0))
        case 7:
            open[app] = nil // nobody is there to be answered
            interrupted.remove(app)
            return took(policy.gone(app), butOf: app)
        case 8: return took(policy.carConnected(mainAudio: Self.mainAudio(command)))
        case 9: return took(policy.carDisconnected())
        case 10, 11: return took(policy.mainAudio(Self.mainAudio(command)))
        case 12: return took(policy.mainAudioRefused(to: app))
        case 13: return took(policy.mainAudioUnanswered())
        case 14: return took(policy.carStates(AudioStates(speech: [.none, .speaking, .recognizing, .none][Int(command >> 4 & 3)], call: command & 64 != 0)))
        default:
            policy.appeared(app)
            return nil
        }
    }

    private mutating func request(_ app: AudioApp, _ input: inout FuzzInput, active: Bool) -> String? {
        let (kind, options) = (input.byte(), input.byte())
        let category = AudioCategory.allCases[Int(kind & 15) % AudioCategory.allCases.count].rawValue
        let mode = AudioMode.allCases[Int(kind >> 4) % AudioMode.allCases.count].rawValue
        guard let settings = try? AudioSettings(category: category, mode: mode, options: UInt32(options)) else { return nil }
        number += 1
        open[app, default: []].insert(number)
        return took(policy.request(app, number: number, active: active, settings: settings, notifyOthers: options & 64 != 0))
    }

    private mutating func took(_ outputs: [PolicyOutput], butOf gone: AudioApp? = nil) -> String? {
        // Who interrupts whom is settled within one step: an app hears at most once that it begins and once that it ends, but for one that
        // becomes active in it and so ends its interruption itself, before the next that waited takes its turn.
        var began: Set<AudioApp> = []
        for output in outputs {
            switch output {
            case .reply(let app, let request, let error):
                if open[app]?.remove(request) == nil { return "request \(request) of \(app) was answered and not open" }
                if error == nil { began.remove(app) }
            case .interruptionBegan(let app, let by):
                if app == gone || app == by { return "\(app) was interrupted by itself, or is gone" }
                if !began.insert(app).inserted { return "\(app) was interrupted twice in one step" }
                interrupted.insert(app)
            case .interruptionEnded(let app, _):
                if interrupted.remove(app) == nil { return "\(app) heard of the end of an interruption that did not begin" }
            case .endStreams(let app, _), .hint(let app, _), .routeChange(let app, _):
                if app == gone { return "\(app) is gone and hears of something" }
            case .ownership, .states: break
            }
        }
        if outputs.count > 64 { return "\(outputs.count) things follow from one step" }
        if !policy.isWaiting, let left = open.first(where: { !$0.value.isEmpty }) { return "\(left.key) waits for \(left.value.sorted()) and nothing else does" }
        if let app = Self.apps.first(where: { policy.mayListen($0) && !policy.maySound($0) }) { return "\(app) may listen, but not be heard" }
        return nil
    }

    /// Nobody who waits is left without an answer when the car says no.
    mutating func end() -> String? {
        for app in Self.apps { if let problem = took(policy.mainAudioRefused(to: app)) { return problem } }
        let left = open.values.reduce(0) { $0 + $1.count }
        return left == 0 ? nil : "\(left) requests have no answer"
    }

    private static func mainAudio(_ byte: UInt8) -> MainAudio {
        [.held, .borrowed, .free, .lost(lent: true), .lost(lent: false), .held, .free, .borrowed][Int(byte >> 4 & 7)]
    }
}

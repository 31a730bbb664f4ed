import FasciaHeadUnit
import FasciaWire
import Synchronization

/// The phone's end: counts what is owed to it.
final class AnswerLink: SoundLink {
    private struct State {
        var asked = 0, answered = 0
        var closed = 0
        var isGone = false
        var now: UInt64 = 0
        var told: [UInt64: UInt64] = [:]
        var offset: Int64 = 0
        var problem: String?
    }
    private let state = Mutex(State())

    var offset: Int64 {
        get { state.withLock(\.offset) }
        set { state.withLock { $0.offset = newValue } }
    }

    func isGone() { state.withLock { $0.isGone = true } }

    func isAsked(_ type: UInt16, at now: UInt64) {
        state.withLock { state in
            state.now = now
            if type == MessageType.streamStart, !state.isGone { state.asked += 1 }
        }
    }

    func send(channel: ChannelID, type: UInt16, body: [UInt8]) {
        state.withLock { state in
            if state.closed > 0 || state.isGone { state.problem = "something is sent behind the end" }
            do {
                guard let message = try SoundMessage(type, body) else { return }
                switch message {
                case .started:
                    state.answered += 1
                    if state.answered > state.asked { state.problem = "\(state.answered) answers to \(state.asked) StreamStart" }
                case .status(let status):
                    let key = UInt64(channel.rawValue) << 32 | UInt64(status.stream)
                    if let last = state.told[key], state.now &- last < 100_000_000 { state.problem = "StreamStatus after \(state.now &- last) ns" }
                    state.told[key] = state.now
                case .start, .update: state.problem = "a car sends \(type)"
                case .stop, .packet: if channel != .audioIn { state.problem = "a car sends \(type) on channel \(channel)" }
                }
            } catch { state.problem = "a car sends what the rules refuse: \(error)" }
        }
    }

    func close(_ code: CloseCode, detail: String) {
        state.withLock { state in
            state.closed += 1
            if state.closed > 1 || code != .badMessage { state.problem = "closed \(state.closed) times, with \(code)" }
        }
    }

    func queuedBytes(_ channel: ChannelID) -> Int { 0 }
    var clockOffset: Int64? { offset }
    func setNeedsClock(_ needs: Bool) {}

    /// Everything asked for is answered by now.
    var problem: String? {
        state.withLock { state in
            if let problem = state.problem { return problem }
            return state.closed == 0 && state.asked != state.answered ? "\(state.asked) StreamStart, \(state.answered) answers" : nil
        }
    }
}

import FasciaAppSound
import FasciaThreads
import Foundation
import Synchronization

/// Mixes what the app plays and sends it to the phone: one stream for the session, one each for alerts and interface sounds, while
/// something plays on them.
///
/// One thread renders blocks of 10 ms, each at its time by the monotonic clock. After a stall it makes up for at most
/// `catchUp`; what is older is skipped, so that sound never lags behind for good.
package final class SoundOutput: Sendable {
    package static let shared = SoundOutput()

    /// Nanoseconds of a block.
    static let block: UInt64 = 10_000_000
    /// Nanoseconds: what the car's buffer may hold at most (spec/sound.md).
    static let catchUp: UInt64 = 250_000_000
    /// Nanoseconds between two blocks that are made up for: the phone takes a few at a time, and drops what is more.
    static let breath: UInt64 = 2_000_000

    package enum Role: Int, CaseIterable, Sendable {
        case session, alert, ui

        var wire: AppSoundRole {
            switch self {
            case .session: .session
            case .alert: .alert
            case .ui: .ui
            }
        }
    }

    /// As on iOS, what plays is kept by the app alone: a player it lets go of falls silent.
    private struct Entry {
        weak var source: (any RenderSource)?
        /// Rises when it is added though it is here: then it goes on, even if its last block said it would not.
        var generation = 0
    }

    private struct State {
        var sources: [[Entry]] = Role.allCases.map { _ in [] }
        var port: (any SoundPort)?
        var sampleRate = 48_000
        var hasThread = false
        /// The thread is making blocks, or about to.
        var isAwake = false
        /// Set in tests, which say when time passes.
        var handTime: UInt64?
    }

    private let state = Mutex(State())
    private let lanes = Mutex(Role.allCases.map { Lane(role: $0) })
    private let wake = DispatchSemaphore(value: 0)

    // MARK: For those who play

    package func add(_ source: any RenderSource, role: Role = .session) {
        let wakes = state.withLock { state -> Bool in
            if let index = state.sources[role.rawValue].firstIndex(where: { $0.source === source }) {
                state.sources[role.rawValue][index].generation += 1
                return false
            }
            state.sources[role.rawValue].append(Entry(source: source))
            guard state.handTime == nil, !state.isAwake else { return false }
            state.isAwake = true
            if !state.hasThread {
                state.hasThread = true
                startThread()
            }
            return true
        }
        if wakes { wake.signal() }
    }

    package func remove(_ source: any RenderSource) {
        state.withLock { state in
            for role in Role.allCases { state.sources[role.rawValue].removeAll { $0.source === source } }
        }
    }

    /// The clock sound is made by, nanoseconds.
    package var now: UInt64 { state.withLock { $0.handTime } ?? MonotonicClock.now() }

    /// Frames a second of the streams that start from now on.
    package var sampleRate: Int {
        get { state.withLock { $0.sampleRate } }
        set { state.withLock { $0.sampleRate = newValue } }
    }

    package var port: (any SoundPort)? {
        get { state.withLock { $0.port } }
        set {
            state.withLock { $0.port = newValue }
            // Streams of a port that is gone are nobody's.
            lanes.withLock { lanes in for index in lanes.indices { lanes[index].stream = nil } }
        }
    }

    /// What the session plays goes on in a stream of another number.
    func renewSessionStream() {
        let port = port
        lanes.withLock { lanes in
            let index = Role.session.rawValue
            if let stream = lanes[index].stream { port?.stop(stream: stream, drain: false) }
            lanes[index].stream = nil
        }
    }

    /// On the main thread, when what has been rendered is heard.
    func whenHeard(_ body: @escaping @Sendable () -> Void) {
        DispatchQueue.main.asyncAfter(deadline: .now() + AVAudioSession.sharedInstance().outputLatency, execute: body)
    }

    // MARK: Rendering

    private func startThread() {
        let thread = Thread { [self] in
            takePrecedence()
            while true {
                wake.wait()
                renderWhilePlaying()
            }
        }
        thread.stackSize = 512 << 10
        thread.start()
    }

    /// Behind the phone's own thread of sound. As this one runs blocks of the app's, one that never ends must not keep others from the
    /// processor for good: the system ends an app that does so for half a second.
    private func takePrecedence() {
        if ThreadPrecedence.ask(.realTime, name: "sound-app", priority: 4) == .realTime { ThreadPrecedence.limitRealTime(microseconds: 500_000) }
    }

    private func renderWhilePlaying() {
        var due = MonotonicClock.now()
        while renderBlock(at: due) {
            due += Self.block
            let now = MonotonicClock.now()
            if now > due + Self.catchUp { due = now - Self.catchUp }
            MonotonicClock.sleep(until: max(due, now + Self.breath))
        }
    }

    /// - Returns: false when nothing plays any more.
    private func renderBlock(at time: UInt64) -> Bool {
        let (sources, port, rate) = state.withLock { state in
            for role in Role.allCases { state.sources[role.rawValue].removeAll { $0.source == nil } }
            return (state.sources, state.port, state.sampleRate)
        }
        lanes.withLock { lanes in
            for index in lanes.indices {
                let ended = lanes[index].render(sources[index].compactMap(\.source), at: time, sampleRate: rate, to: port)
                guard !ended.isEmpty else { continue }
                state.withLock { state in
                    state.sources[index].removeAll { entry in
                        ended.contains { $0 === entry.source } && sources[index].contains { $0.source === entry.source && $0.generation == entry.generation }
                    }
                }
            }
        }
        return state.withLock { state in
            let isPlaying = sources.contains { !$0.isEmpty } || state.sources.contains { !$0.isEmpty }
            if !isPlaying { state.isAwake = false }
            return isPlaying
        }
    }

    // MARK: Tests

    /// From now on time passes only by `advance`.
    package func driveByHand() {
        state.withLock { if $0.handTime == nil { $0.handTime = 1_000_000_000 } }
    }

    /// Renders what falls into the next `seconds`, as fast as it can.
    package func advance(seconds: Double) {
        for _ in 0..<Int((seconds * 100).rounded()) {
            guard let time = state.withLock({ $0.handTime }) else { return }
            _ = renderBlock(at: time)
            state.withLock { $0.handTime = time + Self.block }
        }
    }
}

/// The clock both processes share.
package enum MonotonicClock {
    package static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    static func sleep(until nanoseconds: UInt64) {
        var time = timespec(tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
        while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
    }
}

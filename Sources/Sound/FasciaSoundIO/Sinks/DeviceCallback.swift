import FasciaEvents
import FasciaSound
import Synchronization

/// What SDL's thread calls: the mixer, until the device is given up.
final class DeviceCallback: Sendable {
    private struct State {
        var render: SoundRender?
        var statistics = SinkStatistics()
        var since: UInt64 = 0
        var lastAsked: UInt64?
    }

    private let state = Mutex(State())
    /// Held while the mixer runs: it never does twice at once.
    private let mixing = Mutex(())
    private let rate: Int

    init(rate: Int) { self.rate = rate }

    var statistics: SinkStatistics { state.withLock(\.statistics) }

    func set(_ render: @escaping SoundRender) {
        state.withLock { state in
            state.render = render
            state.since = MonotonicClock.now()
        }
    }

    /// Nanoseconds since SDL asked, or might have.
    var silence: UInt64 { state.withLock { MonotonicClock.now() - ($0.lastAsked ?? $0.since) } }

    /// The device gets silence from now on.
    /// - Parameter reason: for people.
    /// - Returns: who makes the sound, and is not running.
    func giveUp(_ reason: String) -> SoundRender? {
        let render = state.withLock { state in
            defer { state.render = nil }
            state.statistics.failure = reason
            return state.render
        }
        return mixing.withLock { _ in render }
    }

    func ask(_ samples: UnsafeMutablePointer<Float>, frames: Int) {
        let now = MonotonicClock.now()
        let period = Int64(frames) * 1_000_000_000 / Int64(rate)
        mixing.withLock { _ in
            let render = state.withLock { state in
                if let last = state.lastAsked {
                    let delay = Int64(now - last) - period
                    state.statistics.largestDelay = max(state.statistics.largestDelay, delay)
                    if delay > period { state.statistics.missedDeadlines += 1 }
                }
                state.lastAsked = now
                if state.render != nil { state.statistics.frames += Int64(frames) }
                return state.render
            }
            guard let render else { return samples.update(repeating: 0, count: frames * 2) }
            _ = render(samples, frames, now)
        }
    }
}

/// On SDL's thread.
nonisolated func deviceAsks(_ context: UnsafeMutableRawPointer?, _ stream: UnsafeMutablePointer<UInt8>?, _ bytes: Int32) {
    guard let context, let stream, bytes > 0 else { return }
    let frames = Int(bytes) / 8
    let samples = UnsafeMutableRawPointer(stream).bindMemory(to: Float.self, capacity: frames * 2)
    Unmanaged<DeviceCallback>.fromOpaque(context).takeUnretainedValue().ask(samples, frames: frames)
}

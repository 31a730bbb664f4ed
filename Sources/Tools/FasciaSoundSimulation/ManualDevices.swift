import FasciaSound
import FasciaSoundIO
import Synchronization

/// A sink that asks when it is told to, at a time of its own.
package final class ManualSink: SoundSink {
    package let name = "manual"
    private let state = Mutex(State())

    /// A structure and no tuple: a function in a tuple or an optional is converted, and wrapped once more, each time a lock gives it out.
    private struct State {
        var render: SoundRender?
        var time: UInt64 = 1_000_000_000
    }

    package var statistics: SinkStatistics { SinkStatistics() }
    /// Of the next frames, nanoseconds.
    package var time: UInt64 { state.withLock(\.time) }

    package init() {}

    package func start(_ render: @escaping SoundRender) throws(SoundError) { state.withLock { $0.render = render } }
    package func stop() { state.withLock { $0.render = nil } }

    /// The next 5 ms, left and right.
    package func pull() -> [Float] {
        let (render, time) = state.withLock { state in
            defer { state.time += 5_000_000 }
            return (state.render, state.time)
        }
        return [Float](unsafeUninitializedCapacity: Mixer.step * 2) { buffer, count in
            count = Mixer.step * 2
            guard let base = buffer.baseAddress else { return }
            base.initialize(repeating: 0, count: count)
            _ = render?(base, Mixer.step, time)
        }
    }
}

/// A microphone that hears what it is told to.
package final class ManualSource: SoundSource {
    package let name = "manual"
    package let sampleRate: Int
    package let channels: Int
    private let failure: String?
    private let state = Mutex(State())

    private struct State { var receive: SoundReceive? }

    /// - Parameter failure: why it does not start; nil: it does.
    package init(sampleRate: Int = 16_000, channels: Int = 1, failure: String? = nil) {
        (self.sampleRate, self.channels, self.failure) = (sampleRate, channels, failure)
    }

    package func start(_ receive: @escaping SoundReceive) throws(SoundError) {
        if let failure { throw SoundError(.device, failure) }
        state.withLock { $0.receive = receive }
    }

    package func stop() { state.withLock { $0.receive = nil } }

    package var isOpen: Bool { state.withLock { $0.receive != nil } }

    /// A steady level, for so many frames.
    package func hear(_ frames: Int, at time: UInt64) {
        let samples = [Float](repeating: 0.25, count: frames * channels)
        let receive = state.withLock { $0.receive }
        samples.withUnsafeBufferPointer { if let base = $0.baseAddress { receive?(base, frames, time) } }
    }
}

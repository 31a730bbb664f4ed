import FasciaSound

/// Takes what was recorded: interleaved samples, frames, and when the first of them was heard (`CLOCK_MONOTONIC`, nanoseconds). Called on a
/// thread of the source's own, never twice at once.
public typealias SoundReceive = @Sendable (_ samples: UnsafePointer<Float>, _ frames: Int, _ time: UInt64) -> Void

/// A microphone: gives sound at the pace of its own clock, 10 ms at a time.
public protocol SoundSource: AnyObject, Sendable {
    /// For people.
    var name: String { get }
    var sampleRate: Int { get }
    var channels: Int { get }

    /// Begins to record. Once in a source's life.
    func start(_ receive: @escaping SoundReceive) throws(SoundError)

    /// Records no more: when it returns, `SoundReceive` is not running and will not. Idempotent. Not from within `SoundReceive`.
    func stop()
}

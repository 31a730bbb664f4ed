import FasciaSound
import FasciaThreads

/// Gives the next frames: stereo samples to fill, how many frames, and when the first of them leaves (`CLOCK_MONOTONIC`, nanoseconds). Called on
/// a thread of the sink's own, never twice at once. False: it and all that follow are silence, until the sink is woken.
public typealias SoundRender = @Sendable (_ samples: UnsafeMutablePointer<Float>, _ frames: Int, _ time: UInt64) -> Bool

/// Where the mixed sound goes: a device, a file, nowhere. It asks for sound at the pace of its own clock.
public protocol SoundSink: AnyObject, Sendable {
    /// For people, at most 64 bytes.
    var name: String { get }
    /// Frames a second it asks for; always two channels.
    var sampleRate: Int { get }
    /// From a frame being asked for to its being heard, nanoseconds, beyond the time given to `SoundRender`.
    var latency: Int64 { get }
    /// Wants `routeMixed` called.
    var takesRoutes: Bool { get }
    var statistics: SinkStatistics { get }

    /// Begins to ask. Once in a sink's life.
    func start(_ render: @escaping SoundRender) throws(SoundError)

    /// What was mixed of one route; call it from within `SoundRender` only (`Mixer.onRouteMixed`).
    func routeMixed(_ route: AudioRoute, _ samples: UnsafePointer<Float>, frames: Int)

    /// After silence there is sound again. A sink that is not resting may ignore it. From any thread, and quick.
    func wake()

    /// Asks no more: when it returns, `SoundRender` is not running and will not. Idempotent. Not from within `SoundRender`.
    func stop()
}

extension SoundSink {
    public var sampleRate: Int { Mixer.sampleRate }
    public var latency: Int64 { 0 }
    public var takesRoutes: Bool { false }
    public func wake() {}
    public func routeMixed(_ route: AudioRoute, _ samples: UnsafePointer<Float>, frames: Int) {}
}

/// Sums over a sink's life.
public struct SinkStatistics: Hashable, Sendable {
    /// Asked for, or known to be silence.
    public var frames: Int64 = 0
    /// Times it asked more than one period late.
    public var missedDeadlines = 0
    /// The latest it ever asked, nanoseconds.
    public var largestDelay: Int64 = 0
    /// Not asked for after a stall too long to make up, nanoseconds.
    public var skipped: Int64 = 0
    /// Of the thread that asks, once it does.
    public var precedence: ThreadPrecedence?
    /// Why it writes no more, for people; nil while it does.
    public var failure: String?

    public init() {}
}

/// How a stream stands.
public struct StreamStatus: Hashable, Sendable {
    public var key: StreamKey
    public var format: AudioFormat
    /// For people, of the phone's.
    public var label: String
    public var buffer: JitterBuffer.Statistics
    /// Its own, dB.
    public var gain: Float
    /// What ducks it now, dB; 0: nothing.
    public var duck: Float
    /// From the phone's time stamp to the time given to `mix`, nanoseconds; nil before it is known (`Mixer.clockOffset`).
    public var latency: Int64?
    /// No more packets come.
    public var ending: Bool
    public var muted: Bool
    /// Of its route, 0…1.
    public var volume: Float
}

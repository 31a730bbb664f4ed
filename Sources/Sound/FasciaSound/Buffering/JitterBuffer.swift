/// Takes the packets of one stream as they come and gives sound at the sink's pace and rate: late enough that packets are there when it is
/// their turn, and no later. What is missing is made up; the difference of the two clocks and small errors of the delay are corrected by
/// playing a little faster or slower, large ones by leaving sound out. No clock of its own: `now` is given, nanoseconds of the monotonic
/// clock. Not for use by two threads at once.
///
///     filling ──delay reached──▶ playing ──nothing left──▶ fading ──30 ms──▶ filling
///                                   ▲────────packet────────┘
public final class JitterBuffer {
    /// Delay aimed at when packets come with perfect regularity, nanoseconds; more with large packets and sinks.
    public static let floor: Int64 = 12_000_000
    /// More never waits, nanoseconds.
    public static let bound: Int64 = 250_000_000
    /// A delay is corrected by speed up to this error and by leaving sound out above; nanoseconds.
    static let cutThreshold: Int64 = 10_000_000
    /// How long the error must last, nanoseconds.
    static let cutPatience: Int64 = 250_000_000
    /// A target falls by at most this in a second, so that speed can follow; nanoseconds.
    static let targetFall: Double = 4_000_000

    public let format: AudioFormat
    /// Kept for what is not foreseen, nanoseconds: a busy machine wakes threads some milliseconds late before it is known to be one.
    public let margin: Int64
    /// Of what is pulled, Hz; its channels are those of the format.
    public let outputRate: Int
    public internal(set) var statistics = Statistics()
    /// Played to the end after `drain`.
    public internal(set) var isDrained = false

    enum Phase { case filling, playing, fading }
    var phase = Phase.filling
    var slots = PacketSlots()
    /// The sequence numbers that wait are next ..< end.
    var next: UInt32 = 0
    var end: UInt32 = 0
    var endPosition: Int64 = 0
    /// Frames in the packet before.
    var typicalFrames: Int
    var estimate = ArrivalEstimate()
    /// Where the sender is: the smallest offset of arrivals (`ArrivalEstimate.arrived`) since the sound last ran out.
    var base = RecentMinimum()
    /// When it last fell by a millisecond or more.
    var baseLowered: UInt64 = 0
    var control = DriftControl()
    var target: Double
    var tooMuchSince: UInt64?
    var lastPull: UInt64?
    var largestPull: Int64 = 0
    /// Frames pulled, and how early and late the sink was against them: a sink that asks in bursts needs more to be there.
    var pulled: Int64 = 0
    var earliest = RecentMinimum()
    var latest = RecentMinimum()
    var draining = false
    /// The sender's clock at the frame of `frameOfTime`.
    var time: UInt64?
    var frameOfTime: Int64 = 0
    /// Frame of the stream that is decoded next.
    var position: Int64 = 0

    let decoder: PacketDecoder
    let concealment: Concealment
    let resampler: Resampler
    let decoded: FrameQueue
    let crossfade: Crossfade
    /// What `decoded` holds was not sent.
    var madeUp = false
    /// Frames made up since nothing was left.
    var madeSinceRunOut = 0
    /// Frames of it beyond those of the packets that were lost, to be taken from the next; negative: still to be made up.
    var surplus = 0
    /// The target stays where it is.
    var steady = true

    public init(format: AudioFormat, outputRate: Int = 48_000, margin: Int64 = 8_000_000) throws(SoundError) {
        if let refusal = format.refusal { throw SoundError(.format, refusal) }
        guard (8_000...192_000).contains(outputRate) else { throw SoundError(.format, "\(outputRate) Hz: a sink has 8,000 to 192,000 Hz") }
        self.format = format
        self.outputRate = outputRate
        self.margin = min(max(margin, 0), Self.bound / 2)
        typicalFrames = format.sampleRate / 100
        target = Double(Self.floor)
        decoder = try PacketDecoder(format)
        concealment = Concealment(channels: format.channels, sampleRate: format.sampleRate)
        resampler = try Resampler(channels: format.channels)
        decoded = FrameQueue(channels: format.channels, capacity: format.sampleRate / 10)
        crossfade = Crossfade(channels: format.channels, frames: format.sampleRate / 200)
    }

    /// A packet came.
    /// - Parameters:
    ///   - sequence: rising by 1 a packet, modulo 2^32.
    ///   - time: the sender's clock at its first frame, nanoseconds; only reported back.
    ///   - now: when it arrived.
    @discardableResult
    public func push(sequence: UInt32, time: UInt64, data: UnsafeRawBufferPointer, now: UInt64) -> Admission {
        guard let frames = decoder.frames(in: data) else {
            statistics.malformed += 1
            return .malformed
        }
        if statistics.packets == 0 { (next, end) = (sequence, sequence) }
        let ahead = Int32(bitPattern: sequence &- next)
        if ahead < 0 {
            statistics.late += 1
            return .late
        }
        if Int(ahead) >= PacketSlots.capacity { restart(at: sequence) } // nothing that still belongs to what was before
        if slots.contains(sequence) { return .duplicate }
        statistics.packets += 1

        if Int32(bitPattern: sequence &- end) >= 0 {
            let begin = endPosition + Int64(sequence &- end) * Int64(typicalFrames)
            slots.put(sequence, data, frames: frames, time: time, position: begin)
            (end, endPosition, typicalFrames) = (sequence &+ 1, begin + Int64(frames), frames)
            let offset = Int64(clamping: now) - nanoseconds(endPosition)
            if offset < (base.value ?? .max) &- 1_000_000 { baseLowered = now }
            base.add(offset, at: now)
            estimate.arrived(offset: offset, at: now)
        } else {
            slots.put(sequence, data, frames: frames, time: time, position: endPosition - Int64(end &- sequence) * Int64(typicalFrames))
        }
        if buffered > Self.bound { leaveOut(until: max(Int64(target), 0)) }
        statistics.buffered = buffered
        statistics.largestBuffered = max(statistics.largestBuffered, statistics.buffered)
        return .accepted
    }

    /// There is something to play, sent or made up.
    public var hasSound: Bool { phase != .filling || next != end }

    /// No more packets come: what waits is played, then `isDrained`.
    public func drain() { draining = true }

    /// Waiting, nanoseconds.
    public var buffered: Int64 { nanoseconds(max(0, endPosition - position) + Int64(madeUp ? 0 : decoded.count)) }

    /// The sender's clock at the next frame pulled, nanoseconds; nil before the first is played.
    public var senderTime: UInt64? {
        guard let time else { return nil }
        return UInt64(clamping: Int64(clamping: time) &+ nanoseconds(position - Int64(decoded.count) - frameOfTime))
    }

    func nanoseconds(_ frames: Int64) -> Int64 {
        // Split, so that a stream of any length stays within 64 bits.
        let rate = Int64(format.sampleRate)
        return frames / rate &* 1_000_000_000 &+ frames % rate * 1_000_000_000 / rate
    }

    func frames(_ nanoseconds: Int64) -> Int64 { nanoseconds / 1_000_000 * Int64(format.sampleRate) / 1000 }

    /// A jump in the numbers: what waits is given up.
    private func restart(at sequence: UInt32) {
        for waiting in 0..<UInt32(PacketSlots.capacity) { slots.remove(next &+ waiting) }
        (next, end) = (sequence, sequence)
        position = endPosition
        base.forget()
    }
}

extension Int {
    /// Of so many frames.
    func nanoseconds(at rate: Int) -> Int64 { Int64(self) * 1_000_000_000 / Int64(rate) }
}

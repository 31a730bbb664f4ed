import FasciaLink
import FasciaSound

/// A phone that plays a sine, a network and a jitter buffer, in virtual time: ten minutes take a second.
public struct SimulatedStream: Sendable {
    public var format = AudioFormat(.pcm16, sampleRate: 48_000, channels: 1)
    public var route = AudioRoute.media
    public var seconds = 60.0
    /// The phone's clock against the sink's, parts of a million; positive: the phone is faster.
    public var driftPPM = 0.0
    public var network = SimulatedNetwork()
    /// Of a packet, milliseconds.
    public var packetMilliseconds = 10
    /// Of the sink, Hz.
    public var outputRate = 48_000
    /// Frames the sink asks for at a time.
    public var pullFrames = 240
    /// Times it asks without a pause in between.
    public var pullsAtOnce: UInt64 = 1
    public var seed: UInt64 = 1

    public init() {}

    public struct Report: Sendable {
        public internal(set) var statistics = JitterBuffer.Statistics()
        /// The most that waited when no stall was on and none had ended in the two seconds before; nanoseconds.
        public internal(set) var largestCalm: Int64 = 0
        /// The longest time from a stall's end until no more than 10 ms above the target waited, for good; nanoseconds.
        public internal(set) var slowestRecovery: Int64 = 0
        public internal(set) var clicks = 0
        /// `ClickDetector.largest`
        public internal(set) var largestClick: Float = 0
        /// Silent for 5 ms and more outside stalls, once playing.
        public internal(set) var silences = 0
        /// From a frame being sent to its being pulled, at the end, nanoseconds.
        public internal(set) var delay: Int64 = 0
        public internal(set) var smallestDelay = Int64.max
        public internal(set) var largestDelay: Int64 = 0
        public internal(set) var packetsLost = 0
    }

    public func run() throws(SoundError) -> Report {
        var report = Report()
        var chance = SeededGenerator(seed: seed)
        let coarseness = 48_000 / Float(outputRate) // of what is smooth at 48 kHz
        var clicks = ClickDetector(threshold: 0.01 * coarseness * coarseness)
        var packets = try PacketSource(format: format, milliseconds: packetMilliseconds)
        let buffer = try JitterBuffer(format: format, outputRate: outputRate, margin: route.margin)
        let output = UnsafeMutablePointer<Float>.allocate(capacity: pullFrames * format.channels)
        defer { output.deallocate() }

        let end = UInt64(seconds * 1e9)
        let pullSpan = UInt64(pullFrames) * 1_000_000_000 / UInt64(outputRate)
        let interval = Double(packetMilliseconds) * 1e6 / (1 + driftPPM / 1e6)
        let begin: UInt64 = 10_000_000_000 // clocks do not begin at 0
        var network = network
        network.stalls = network.stalls.map { (begin + $0.at, $0.length) }
        var waiting: (arrival: UInt64, sequence: UInt32, time: UInt64, bytes: [UInt8])?
        var sent = 0
        var lastArrival: UInt64 = 0
        var now = begin
        var disturbedUntil: UInt64 = begin
        var stallEnd: UInt64?
        var silent = 0

        var clock = begin
        while clock < begin + end {
            now = begin + (clock - begin) / (pullSpan * pullsAtOnce) * (pullSpan * pullsAtOnce)
            // Packets until now.
            while true {
                if waiting == nil {
                    let time = begin + UInt64(Double(sent) * interval)
                    let sequence = UInt32(truncatingIfNeeded: sent)
                    sent += 1
                    let bytes = try packets.next()
                    // A packet leaves when its last frame was made.
                    guard let arrival = network.arrival(sent: time + UInt64(interval), using: &chance) else {
                        report.packetsLost += 1
                        continue
                    }
                    lastArrival = max(lastArrival, arrival)
                    waiting = (lastArrival, sequence, time, bytes)
                }
                guard let packet = waiting, packet.arrival <= now else { break }
                packet.bytes.withUnsafeBytes { data in
                    _ = buffer.push(sequence: packet.sequence, time: packet.time, data: data, now: packet.arrival)
                }
                waiting = nil
            }
            for stall in network.stalls where (stall.at..<stall.at + stall.length).contains(now) {
                disturbedUntil = stall.at + stall.length + 2_000_000_000
                stallEnd = stall.at + stall.length
            }
            let calm = now > disturbedUntil && now > begin + 1_000_000_000
            if let time = buffer.senderTime, calm {
                report.delay = Int64(now) - Int64(time)
                report.smallestDelay = min(report.smallestDelay, report.delay)
                report.largestDelay = max(report.largestDelay, report.delay)
            }
            let waits = buffer.buffered
            if calm { report.largestCalm = max(report.largestCalm, waits) }
            if let stallEnd, now >= stallEnd, now < stallEnd + 5_000_000_000, waits > buffer.statistics.target + 10_000_000 {
                report.slowestRecovery = max(report.slowestRecovery, Int64(now - stallEnd))
            }
            buffer.pull(output, frames: pullFrames, now: now)
            let loud = (0..<pullFrames).contains { abs(output[$0 * format.channels]) > 0.01 }
            silent = loud ? 0 : silent + 1
            if silent == 1, calm { report.silences += 1 }
            if now > begin + 100_000_000 { clicks.add((0..<pullFrames).lazy.map { output[$0 * format.channels] }) }
            clock += pullSpan
        }
        report.statistics = buffer.statistics
        report.clicks = clicks.clicks
        report.largestClick = clicks.largest
        return report
    }
}

/// Packets of a 440 Hz sine.
struct PacketSource {
    private let format: AudioFormat
    private let frames: Int
    private var signal: TestSignal
    private let opus: OpusEncoding?

    init(format: AudioFormat, milliseconds: Int) throws(SoundError) {
        self.format = format
        frames = format.sampleRate * milliseconds / 1000
        signal = TestSignal(.sine(440), sampleRate: format.sampleRate)
        opus = format.codec == .opus ? try OpusEncoding(sampleRate: format.sampleRate, channels: format.channels) : nil
    }

    mutating func next() throws(SoundError) -> [UInt8] {
        let samples = signal.render(frames: frames, channels: format.channels)
        return try opus?.encode(samples) ?? PCM16.bytes(samples)
    }
}

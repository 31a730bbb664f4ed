import FasciaSound
import FasciaSoundIO
import FasciaWire
import Synchronization

/// Sends what a microphone hears to the phone, in packets of 10 ms, 20 ms of Opus. Its time stamps are the car's monotonic clock.
final class MicrophoneFeed: Sendable {
    /// Sound that may wait for the network, nanoseconds; what comes then is dropped and its numbers are left out.
    static let maximumQueued: Int64 = 100_000_000

    let stream: UInt32
    let source: any SoundSource
    private let link: any SoundLink
    private let packer: Mutex<Packer>
    private let heardBlocks = Atomic(0)

    /// - Parameter source: gives `format`'s rate and channels.
    init(_ recording: SoundDesk.Recording, source: any SoundSource, link: any SoundLink) throws(SoundError) {
        stream = recording.stream
        self.source = source
        self.link = link
        packer = Mutex(try Packer(recording))
    }

    /// To be called once the phone was told that the stream plays.
    func start() throws(SoundError) {
        try source.start { [weak self] samples, frames, time in self?.heard(samples, frames, time) }
    }

    func stop() { source.stop() }

    /// Packets sent, and dropped because the network did not take them.
    var counts: (sent: Int, dropped: Int) { packer.withLock { ($0.sent, $0.dropped) } }

    /// Blocks that came from the source.
    var blocks: Int { heardBlocks.load(ordering: .relaxed) }

    private func heard(_ samples: UnsafePointer<Float>, _ frames: Int, _ time: UInt64) {
        heardBlocks.add(1, ordering: .relaxed)
        let heard = Array(UnsafeBufferPointer(start: samples, count: max(0, frames) * source.channels)), queued = link.queuedBytes(.audioIn)
        let packets = packer.withLock { $0.add(heard, time, drops: queued > $0.maximumQueuedBytes) }
        for packet in packets { link.send(channel: .audioIn, type: MessageType.audioPacket, body: packet) }
    }

    /// Samples to packets.
    private struct Packer {
        private let format: SoundFormat
        private let stream: UInt32
        private let encoder: OpusEncoding?
        private let packetFrames: Int
        private var waiting: [Float] = []
        private var sequence: UInt32 = 0
        private(set) var sent = 0
        private(set) var dropped = 0

        init(_ recording: SoundDesk.Recording) throws(SoundError) {
            (format, stream) = (recording.format, recording.stream)
            encoder = format.codec == .opus ? try OpusEncoding(sampleRate: format.sampleRate, channels: format.channels, purpose: .voice) : nil
            packetFrames = format.sampleRate / (encoder == nil ? 100 : 50)
        }

        /// As if it were PCM: an Opus stream's is reached the later, which delays nobody more.
        var maximumQueuedBytes: Int { Int(MicrophoneFeed.maximumQueued / 1_000_000) * format.sampleRate / 1_000 * 2 * format.channels / (encoder == nil ? 1 : 8) }

        /// - Parameter time: of the first of these frames.
        mutating func add(_ samples: [Float], _ time: UInt64, drops: Bool) -> [[UInt8]] {
            let before = waiting.count / format.channels
            waiting.append(contentsOf: samples)
            var first = time &- UInt64(before) * 1_000_000_000 / UInt64(format.sampleRate)
            var packets: [[UInt8]] = [], used = 0
            let size = packetFrames * format.channels
            while waiting.count - used >= size {
                if drops {
                    dropped += 1
                } else if let data = data(waiting[used..<used + size]) {
                    packets.append(AudioPacketHeader(stream: stream, sequence: sequence, time: first).encoded + data)
                    sent += 1
                }
                sequence &+= 1
                first &+= UInt64(format.duration(ofFrames: packetFrames))
                used += size
            }
            waiting.removeFirst(used)
            return packets
        }

        private func data(_ samples: ArraySlice<Float>) -> [UInt8]? {
            guard let encoder else { return PCM16.bytes(Array(samples)) }
            return try? encoder.encode(Array(samples))
        }
    }
}

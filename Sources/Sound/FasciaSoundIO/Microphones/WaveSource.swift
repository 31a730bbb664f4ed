import FasciaSound
import FasciaSoundFile

/// A sound file heard over and over, as if it were spoken into a microphone; any file libsndfile decodes.
public final class WaveSource: SoundSource {
    public let name: String
    public let sampleRate: Int
    public let channels: Int
    private let thread = PacedThread(period: 10_000_000)
    private let loop: FileLoop

    /// - Parameters:
    ///   - sampleRate: wanted, Hz, 8,000 to 192,000.
    ///   - channels: wanted, 1 or 2; what the file has is mixed down or doubled.
    public init(file path: String, sampleRate: Int, channels: Int) throws(SoundError) {
        guard (8_000...192_000).contains(sampleRate), (1...2).contains(channels) else {
            throw SoundError(.format, "a microphone gives 8,000 to 192,000 Hz and 1 or 2 channels")
        }
        loop = try FileLoop(path, sampleRate: sampleRate, channels: channels)
        name = "WAV file"
        (self.sampleRate, self.channels) = (sampleRate, channels)
    }

    deinit { stop() }

    public func start(_ receive: @escaping SoundReceive) throws(SoundError) {
        let (loop, frames) = (loop, sampleRate / 100)
        thread.start("sound-mic", .init(tick: { time in
            let samples = loop.next(frames)
            receive(samples, frames, time - 10_000_000)
            return true
        }))
    }

    public func stop() { thread.stop() }
}

/// Reads, resamples and begins again; only ever touched by the source's thread after it was made.
private final class FileLoop: @unchecked Sendable {
    private static let chunk = 1024 // frames of the file

    private let reader: SoundFileReader
    private let resampler: Resampler
    private let channels: Int
    private let ratio: Double
    private let raw: UnsafeMutablePointer<Float>
    private let mixed: UnsafeMutablePointer<Float>
    private let output: UnsafeMutablePointer<Float>
    private let room: Int
    private var offset = 0
    private var ready = 0

    init(_ path: String, sampleRate: Int, channels: Int) throws(SoundError) {
        do {
            reader = try SoundFileReader(path: path)
        } catch {
            throw SoundError(.file, "\(path) cannot be heard (\(error)): name a WAV, FLAC, Ogg or MP3 file that can be read")
        }
        resampler = try Resampler(channels: channels)
        self.channels = channels
        ratio = Double(sampleRate) / Double(reader.sampleRate)
        room = sampleRate / 100
        raw = .allocate(capacity: Self.chunk * reader.channels)
        mixed = .allocate(capacity: Self.chunk * channels)
        mixed.initialize(repeating: 0, count: Self.chunk * channels)
        output = .allocate(capacity: room * channels)
        output.initialize(repeating: 0, count: room * channels)
    }

    deinit {
        raw.deallocate()
        mixed.deallocate()
        output.deallocate()
    }

    /// The next 10 ms; silence when the file has nothing.
    func next(_ frames: Int) -> UnsafePointer<Float> {
        var made = 0
        while made < frames {
            if ready == 0, !read() { break }
            guard let step = try? resampler.process(
                mixed + offset * channels, frames: ready, into: output + made * channels, room: frames - made, ratio: ratio),
                step.used > 0 || step.made > 0
            else { break }
            offset += step.used
            ready -= step.used
            made += step.made
        }
        (output + made * channels).update(repeating: 0, count: (frames - made) * channels)
        return UnsafePointer(output)
    }

    private func read() -> Bool {
        var count = reader.read(into: raw, frames: Self.chunk)
        if count == 0, reader.seek(to: 0) { count = reader.read(into: raw, frames: Self.chunk) }
        let width = reader.channels
        for frame in 0..<count {
            let first = raw[frame * width]
            let second = width > 1 ? raw[frame * width + 1] : first
            if channels == 1 {
                mixed[frame] = (first + second) / 2
            } else {
                mixed[frame * 2] = first
                mixed[frame * 2 + 1] = second
            }
        }
        (offset, ready) = (0, count)
        return count > 0
    }
}

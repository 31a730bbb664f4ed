import CSndfile

/// Reads a file of any kind libsndfile decodes (WAV, AIFF, FLAC, Ogg Vorbis and Opus, MP3 …), piece by piece. Not for several threads
/// at once.
public final class SoundFileReader {
    /// Frames a second.
    public let sampleRate: Int
    public let channels: Int
    /// Frames; 0 when the file does not say.
    public let frames: Int64
    /// What is stored, as far as it matters to those who ask.
    public let encoding: SoundFileEncoding
    private let file: OpaquePointer
    /// Keeps the bytes of a file in memory.
    private let memory: MemoryFile?

    public init(path: String) throws(SoundFileError) {
        var info = SF_INFO()
        guard let file = sf_open(path, Int32(SFM_READ), &info) else { throw .last(of: nil) }
        self.file = file
        memory = nil
        (sampleRate, channels, frames, encoding) = try Self.checked(info, file)
    }

    /// A whole file in memory.
    public init(bytes: [UInt8]) throws(SoundFileError) {
        var info = SF_INFO()
        let memory = MemoryFile(bytes)
        var calls = MemoryFile.calls
        guard let file = sf_open_virtual(&calls, Int32(SFM_READ), &info, Unmanaged.passUnretained(memory).toOpaque()) else { throw .last(of: nil) }
        self.file = file
        self.memory = memory
        (sampleRate, channels, frames, encoding) = try Self.checked(info, file)
    }

    deinit { sf_close(file) }

    private static func checked(_ info: SF_INFO, _ file: OpaquePointer) throws(SoundFileError) -> (Int, Int, Int64, SoundFileEncoding) {
        guard (1...64).contains(info.channels), (1_000...768_000).contains(info.samplerate) else {
            sf_close(file)
            throw SoundFileError(.malformed, "\(info.channels) channels at \(info.samplerate) Hz")
        }
        let known = info.frames >= 0 && info.frames < .max / 64 ? Int64(info.frames) : 0
        return (Int(info.samplerate), Int(info.channels), known, SoundFileEncoding(info.format))
    }

    /// Reads at most `count` frames, interleaved.
    /// - Returns: the frames read; 0 at the end.
    public func read(into samples: UnsafeMutablePointer<Float>, frames count: Int) -> Int {
        max(0, Int(sf_readf_float(file, samples, sf_count_t(max(0, count)))))
    }

    /// The next `read` begins at this frame.
    /// - Returns: false where the file cannot go there.
    @discardableResult
    public func seek(to frame: Int64) -> Bool { sf_seek(file, sf_count_t(max(0, frame)), Int32(SEEK_SET)) >= 0 }
}

/// What a file's samples were encoded as.
public enum SoundFileEncoding: Sendable, Equatable {
    case pcm, flac, vorbis, opus, mp3, other

    init(_ format: Int32) {
        switch (Int(format) & Int(SF_FORMAT_TYPEMASK), Int(format) & Int(SF_FORMAT_SUBMASK)) {
        case (Int(SF_FORMAT_FLAC), _): self = .flac
        case (_, Int(SF_FORMAT_VORBIS)): self = .vorbis
        case (_, Int(SF_FORMAT_OPUS)): self = .opus
        case (Int(SF_FORMAT_MPEG), _), (_, Int(SF_FORMAT_MPEG_LAYER_III)): self = .mp3
        case (_, let sub) where sub >= Int(SF_FORMAT_PCM_S8) && sub <= Int(SF_FORMAT_DOUBLE): self = .pcm
        default: self = .other
        }
    }
}

/// Bytes that libsndfile reads as a file.
private final class MemoryFile {
    let bytes: [UInt8]
    var position = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    static func from(_ context: UnsafeMutableRawPointer?) -> MemoryFile? {
        context.map { Unmanaged<MemoryFile>.fromOpaque($0).takeUnretainedValue() }
    }

    static var calls: SF_VIRTUAL_IO {
        SF_VIRTUAL_IO(
            get_filelen: { sf_count_t(MemoryFile.from($0)?.bytes.count ?? 0) },
            seek: { offset, whence, context in
                guard let file = MemoryFile.from(context) else { return -1 }
                let base = whence == SEEK_CUR ? file.position : whence == SEEK_END ? file.bytes.count : 0
                let (target, overflow) = base.addingReportingOverflow(Int(offset))
                guard !overflow else { return -1 }
                file.position = max(0, min(file.bytes.count, target))
                return sf_count_t(file.position)
            },
            read: { target, count, context in
                guard let file = MemoryFile.from(context), let target, count > 0 else { return 0 }
                let size = min(Int(count), file.bytes.count - file.position)
                guard size > 0 else { return 0 }
                file.bytes.withUnsafeBytes { source in
                    guard let base = source.baseAddress else { return }
                    target.copyMemory(from: base + file.position, byteCount: size)
                }
                file.position += size
                return sf_count_t(size)
            },
            write: { _, _, _ in 0 },
            tell: { sf_count_t(MemoryFile.from($0)?.position ?? 0) })
    }
}

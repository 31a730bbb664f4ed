import CSndfile

/// Writes a sound file piece by piece; its kind follows from the name. Not for several threads at once.
public final class SoundFileWriter {
    public let channels: Int
    private var file: OpaquePointer?

    /// - Parameters:
    ///   - path: ends in wav, aiff, caf, flac, ogg, opus or mp3; anything else becomes WAV.
    ///   - bits: 16 or 24 of linear samples, 32 for floats in a WAV.
    public init(path: String, sampleRate: Int, channels: Int, bits: Int = 16) throws(SoundFileError) {
        var info = SF_INFO()
        info.samplerate = Int32(clamping: sampleRate)
        info.channels = Int32(clamping: channels)
        info.format = Int32(Self.format(path, bits))
        guard sf_format_check(&info) != 0 else { throw SoundFileError(.unsupported, "no such file of \(channels) channels at \(sampleRate) Hz: \(path)") }
        guard let file = sf_open(path, Int32(SFM_WRITE), &info) else { throw .last(of: nil) }
        _ = sf_command(file, Int32(SFC_SET_CLIPPING), nil, Int32(SF_TRUE))
        self.file = file
        self.channels = channels
    }

    deinit { close() }

    private static func format(_ path: String, _ bits: Int) -> Int {
        let linear = bits == 24 ? SF_FORMAT_PCM_24 : SF_FORMAT_PCM_16
        let parts = switch path.split(separator: ".").last?.lowercased() {
        case "aiff", "aif": (SF_FORMAT_AIFF, linear)
        case "caf": (SF_FORMAT_CAF, linear)
        case "flac": (SF_FORMAT_FLAC, linear)
        case "ogg", "oga": (SF_FORMAT_OGG, SF_FORMAT_VORBIS)
        case "opus": (SF_FORMAT_OGG, SF_FORMAT_OPUS)
        case "mp3": (SF_FORMAT_MPEG, SF_FORMAT_MPEG_LAYER_III)
        default: (SF_FORMAT_WAV, bits == 32 ? SF_FORMAT_FLOAT : linear)
        }
        return Int(parts.0) | Int(parts.1)
    }

    /// Appends interleaved frames.
    public func write(_ samples: UnsafePointer<Float>, frames: Int) throws(SoundFileError) {
        guard let file else { throw SoundFileError(.system, "the file is closed") }
        guard Int(sf_writef_float(file, samples, sf_count_t(max(0, frames)))) == frames else { throw .last(of: file) }
    }

    /// Writes the header's lengths as they are now: the file is whole up to here whatever becomes of this process.
    public func updateHeader() {
        if let file { _ = sf_command(file, Int32(SFC_UPDATE_HEADER_NOW), nil, 0) }
    }

    /// Writes the header's lengths. Idempotent.
    public func close() {
        if let file { sf_close(file) }
        file = nil
    }
}

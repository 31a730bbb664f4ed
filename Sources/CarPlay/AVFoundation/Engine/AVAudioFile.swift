import FasciaSoundFile
import Foundation

/// A file read or written as PCM buffers.
open class AVAudioFile: NSObject, @unchecked Sendable {
    public let url: URL
    /// As it is on disk.
    public let fileFormat: AVAudioFormat
    /// Of the buffers read and written.
    public let processingFormat: AVAudioFormat
    private let lock = NSLock()
    private let reader: SoundFileReader?
    private var writer: SoundFileWriter?
    private var frames: AVAudioFramePosition
    private var position: AVAudioFramePosition = 0

    /// Opens for reading, with deinterleaved Float32 buffers.
    public convenience init(forReading fileURL: URL) throws { try self.init(forReading: fileURL, commonFormat: .pcmFormatFloat32, interleaved: false) }

    public init(forReading fileURL: URL, commonFormat format: AVAudioCommonFormat, interleaved: Bool) throws {
        let reader: SoundFileReader
        do { reader = try SoundFileReader(path: fileURL.path) } catch { throw AudioFileError.error(error, fileURL) }
        let rate = Double(reader.sampleRate), channels = AVAudioChannelCount(reader.channels)
        guard let processing = AVAudioFormat(commonFormat: format, sampleRate: rate, channels: channels, interleaved: interleaved) else {
            throw AudioFileError.error(SoundFileError(.unsupported, "no such format of buffers"), fileURL)
        }
        let id = switch reader.encoding {
        case .flac: kAudioFormatFLAC
        case .opus: kAudioFormatOpus
        case .mp3: kAudioFormatMPEGLayer3
        default: kAudioFormatLinearPCM
        }
        url = fileURL
        fileFormat = AVAudioFormat(file: rate, channels: channels, formatID: id)
        processingFormat = processing
        self.reader = reader
        frames = reader.frames
    }

    /// Makes a file of the settings' rate, channels and bits; its kind follows from the name (wav, aiff, caf, flac, ogg, opus).
    public convenience init(forWriting fileURL: URL, settings: [String: Any]) throws {
        try self.init(forWriting: fileURL, settings: settings, commonFormat: .pcmFormatFloat32, interleaved: false)
    }

    public init(forWriting fileURL: URL, settings: [String: Any], commonFormat format: AVAudioCommonFormat, interleaved: Bool) throws {
        guard let stored = AVAudioFormat(settings: settings),
              let processing = AVAudioFormat(commonFormat: format, sampleRate: stored.sampleRate, channels: stored.channelCount, interleaved: interleaved) else {
            throw AudioFileError.error(SoundFileError(.unsupported, "settings without a rate and channels"), fileURL)
        }
        let bits = Int(SettingValue.double(settings[AVLinearPCMBitDepthKey]) ?? 16)
        do {
            writer = try SoundFileWriter(path: fileURL.path, sampleRate: Int(stored.sampleRate), channels: Int(stored.channelCount), bits: bits)
        } catch { throw AudioFileError.error(error, fileURL) }
        url = fileURL
        fileFormat = stored
        processingFormat = processing
        reader = nil
        frames = 0
    }

    /// Frames.
    open var length: AVAudioFramePosition { lock.withLock { frames } }

    /// Where the next read begins.
    open var framePosition: AVAudioFramePosition {
        get { lock.withLock { position } }
        set {
            lock.withLock {
                guard let reader, reader.seek(to: newValue) else { return }
                position = max(0, newValue)
            }
        }
    }

    /// Fills the buffer; its `frameLength` says how far. Throws at the end of the file, as iOS does.
    open func read(into buffer: AVAudioPCMBuffer) throws { try read(into: buffer, frameCount: buffer.frameCapacity) }

    open func read(into buffer: AVAudioPCMBuffer, frameCount: AVAudioFrameCount) throws {
        guard let reader else { throw AudioFileError.error(SoundFileError(.unsupported, "the file is open for writing"), url) }
        guard buffer.format.channelCount == processingFormat.channelCount else {
            throw AudioFileError.error(SoundFileError(.unsupported, "a buffer of other channels"), url)
        }
        let channels = Int(processingFormat.channelCount), count = Int(min(frameCount, buffer.frameCapacity))
        var samples = [Float](repeating: 0, count: max(1, count * channels))
        let read = lock.withLock {
            let read = samples.withUnsafeMutableBufferPointer { $0.baseAddress.map { reader.read(into: $0, frames: count) } ?? 0 }
            position += AVAudioFramePosition(read)
            return read
        }
        buffer.frameLength = AVAudioFrameCount(read)
        for frame in 0..<read { for channel in 0..<channels { buffer.set(frame, channel, samples[frame * channels + channel]) } }
        if read == 0, count > 0 { throw NSError(domain: avfaudioErrorDomain, code: -1, userInfo: [NSLocalizedDescriptionKey: "the end of \(url.lastPathComponent)"]) }
    }

    open func write(from buffer: AVAudioPCMBuffer) throws {
        let channels = Int(processingFormat.channelCount), count = Int(buffer.frameLength)
        guard buffer.format.channelCount == processingFormat.channelCount, buffer.format.sampleRate == processingFormat.sampleRate else {
            throw AudioFileError.error(SoundFileError(.unsupported, "a buffer of another format"), url)
        }
        var samples = [Float](repeating: 0, count: max(1, count * channels))
        for frame in 0..<count { for channel in 0..<channels { samples[frame * channels + channel] = buffer.sample(frame, channel) } }
        try lock.withLock {
            guard let writer else { throw AudioFileError.error(SoundFileError(.unsupported, "the file is not open for writing"), url) }
            do { try samples.withUnsafeBufferPointer { if let base = $0.baseAddress { try writer.write(base, frames: count) } } } catch { throw AudioFileError.error(error, url) }
            frames += AVAudioFramePosition(count)
            position = frames
        }
    }

    /// Completes a written file; it is also done when the object goes.
    open func close() {
        lock.withLock {
            writer?.close()
            writer = nil
        }
    }
}

/// Domain of the engine's errors.
let avfaudioErrorDomain = "com.apple.coreaudio.avfaudio"

import FasciaSoundFile
import Foundation

/// Called on the main thread.
public protocol AVAudioRecorderDelegate: NSObjectProtocol {
    func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool)
    func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?)
}

extension AVAudioRecorderDelegate {
    public func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) {}
    public func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?) {}
}

/// Records the car's microphone to a file, whose kind follows from its name.
open class AVAudioRecorder: NSObject, @unchecked Sendable {
    public let url: URL
    public let settings: [String: Any]
    public let format: AVAudioFormat
    public weak var delegate: (any AVAudioRecorderDelegate)?
    open var isMeteringEnabled = false

    private let lock = NSLock()
    private var writer: SoundFileWriter?
    private var recording = false
    private var frames: Int64 = 0
    /// Frames after which it stops by itself.
    private var limit: Int64?
    private let converter = StereoConverter(channels: 1, sampleRate: Double(Microphone.sampleRate))
    private var levels = (current: Levels(), shown: Levels())

    /// - Throws: for settings without a rate and one or two channels.
    public init(url: URL, settings: [String: Any]) throws {
        guard let format = AVAudioFormat(settings: settings), format.channelCount <= 2 else {
            throw AudioFileError.error(SoundFileError(.unsupported, "settings without a rate and one or two channels"), url)
        }
        (self.url, self.settings, self.format) = (url, settings, format)
        super.init()
        PlayingObjects.shared.add(self)
    }

    public convenience init(url: URL, format: AVAudioFormat) throws { try self.init(url: url, settings: format.settings) }

    deinit { Microphone.shared.close(for: self) }

    /// Makes the file. False: it cannot be written.
    @discardableResult
    open func prepareToRecord() -> Bool {
        lock.withLock {
            if writer != nil { return true }
            let bits = Int(SettingValue.double(settings[AVLinearPCMBitDepthKey]) ?? 16)
            writer = try? SoundFileWriter(path: url.path, sampleRate: Int(format.sampleRate), channels: Int(format.channelCount), bits: bits)
            frames = 0
            return writer != nil
        }
    }

    /// - Returns: false for a session of a category that does not record, when the phone does not let the app, and when there is no file.
    @discardableResult
    open func record() -> Bool { start(for: nil) }

    /// Stops by itself after so many seconds.
    @discardableResult
    open func record(forDuration duration: TimeInterval) -> Bool { start(for: duration) }

    private func start(for seconds: TimeInterval?) -> Bool {
        let session = AVAudioSession.sharedInstance()
        guard session.category.records, prepareToRecord(), session.activateToPlay() else { return false }
        lock.withLock {
            recording = true
            limit = seconds.map { frames + Int64(max(0, min($0, 1e6)) * format.sampleRate) }
        }
        Microphone.shared.open(for: self, { [weak self] _, samples in self?.heard(samples) }, lost: { [weak self] error, _ in self?.lost(error) })
        return true
    }

    /// The microphone is gone. What was recorded stays, and `record` may go on with it.
    private func lost(_ error: NSError) {
        lock.withLock { recording = false }
        DispatchQueue.main.async { self.delegate?.audioRecorderEncodeErrorDidOccur(self, error: error) }
    }

    /// `record` goes on in the same file.
    open func pause() { _ = interrupt() }

    open func stop() {
        Microphone.shared.close(for: self)
        let wasOpen = lock.withLock {
            defer { (writer, recording) = (nil, false) }
            writer?.close()
            return writer != nil
        }
        if wasOpen { DispatchQueue.main.async { self.delegate?.audioRecorderDidFinishRecording(self, successfully: true) } }
    }

    @discardableResult
    open func deleteRecording() -> Bool { (try? FileManager.default.removeItem(at: url)) != nil }

    open var isRecording: Bool { lock.withLock { recording } }
    /// Seconds recorded.
    open var currentTime: TimeInterval { lock.withLock { Double(frames) / format.sampleRate } }
    open func updateMeters() { lock.withLock { levels.shown = levels.current } }
    /// dB of full scale, -160 for silence.
    open func averagePower(forChannel channelNumber: Int) -> Float { lock.withLock { levels.shown.average(0) } }
    open func peakPower(forChannel channelNumber: Int) -> Float { lock.withLock { levels.shown.peak(0) } }

    /// On the socket's thread.
    private func heard(_ samples: [Int16]) {
        let isDone = lock.withLock { () -> Bool in
            guard recording, let writer else { return false }
            let channels = Int(format.channelCount)
            var taken = 0, stereo = [Float](repeating: 0, count: 2 * (Int(Double(samples.count) * format.sampleRate / Double(Microphone.sampleRate)) + 2))
            let room = stereo.count / 2
            var made = stereo.withUnsafeMutableBufferPointer { output -> Int in
                guard let base = output.baseAddress else { return 0 }
                return converter.pullAvailable(room, to: base, rate: format.sampleRate) { target, count in
                    let count = min(count, samples.count - taken)
                    for index in 0..<count { target[index] = Float(samples[taken + index]) / 32_768 }
                    taken += count
                    return count
                }
            }
            if let limit { made = Int(min(Int64(made), max(0, limit - frames))) }
            let piece = channels == 2 ? Array(stereo.prefix(2 * made)) : (0..<made).map { stereo[2 * $0] }
            if isMeteringEnabled {
                levels.current = Levels()
                for index in 0..<made { levels.current.add(stereo[2 * index], stereo[2 * index + 1]) }
            }
            piece.withUnsafeBufferPointer { buffer in
                if let base = buffer.baseAddress, made > 0 { try? writer.write(base, frames: made) }
            }
            frames += Int64(made)
            return limit.map { frames >= $0 } ?? false
        }
        if isDone { stop() }
    }
}

extension AVAudioRecorder: Interruptible {
    func interrupt() -> Bool {
        Microphone.shared.close(for: self)
        return lock.withLock {
            defer { recording = false }
            return recording
        }
    }
}

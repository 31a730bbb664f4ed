import FasciaSoundFile
import Foundation

/// Plays a file or its bytes: what libsndfile decodes, of any rate. Usable from any thread.
open class AVAudioPlayer: NSObject, @unchecked Sendable {
    private let lock = NSLock()
    private let reader: SoundFileReader
    private let converter: StereoConverter
    private let fileRate: Double
    private let fileFrames: Int64
    private var playing = false
    /// Paused a moment ago: one more block, which fades out.
    private var leaving = false
    private var startTime: UInt64?
    /// Frames of the file read so far.
    private var position: Int64 = 0
    private var loops = 0
    private var loopsLeft = 0
    private var gain = Gain()
    private var speed: Float = 1
    /// From the first moment at another speed on.
    private var stretcher: TimeStretcher?
    private var meters = (isEnabled: false, current: Levels(), shown: Levels())
    private var scratch: [Float] = []

    public weak var delegate: (any AVAudioPlayerDelegate)?
    public let url: URL?
    public let data: Data?
    /// Whether `rate` counts. The pitch stays.
    open var enableRate = false

    private init(reader: SoundFileReader, url: URL?, data: Data?) {
        (self.reader, self.url, self.data) = (reader, url, data)
        fileRate = Double(reader.sampleRate)
        fileFrames = reader.frames
        converter = StereoConverter(channels: reader.channels, sampleRate: fileRate)
        super.init()
        PlayingObjects.shared.add(self)
    }

    /// - Throws: an error of `NSOSStatusErrorDomain`: 'typ?' for what cannot be decoded, 2003334207 for no such file.
    public convenience init(contentsOf url: URL) throws { try self.init(contentsOf: url, fileTypeHint: nil) }

    public convenience init(contentsOf url: URL, fileTypeHint utiString: String?) throws {
        do { self.init(reader: try SoundFileReader(path: url.path), url: url, data: nil) } catch { throw AudioFileError.error(error, url) }
    }

    public convenience init(data: Data) throws { try self.init(data: data, fileTypeHint: nil) }

    public convenience init(data: Data, fileTypeHint utiString: String?) throws {
        do { self.init(reader: try SoundFileReader(bytes: [UInt8](data)), url: nil, data: data) } catch { throw AudioFileError.error(error, nil) }
    }

    // MARK: Control

    @discardableResult
    open func prepareToPlay() -> Bool { true }

    /// - Returns: false when the phone does not let the app play.
    @discardableResult
    open func play() -> Bool { start(at: nil) }

    /// Plays from `deviceCurrentTime` `time` on.
    @discardableResult
    open func play(atTime time: TimeInterval) -> Bool { start(at: AVAudioTime.hostTime(forSeconds: time)) }

    private func start(at time: UInt64?) -> Bool {
        guard AVAudioSession.sharedInstance().activateToPlay() else { return false }
        lock.withLock {
            if !playing {
                loopsLeft = loops
                if !leaving { gain.begin() }
            }
            (playing, leaving, startTime) = (true, false, time)
        }
        SoundOutput.shared.add(self)
        return true
    }

    /// Stops where it is.
    open func pause() { _ = halt() }

    /// Stops where it is; iOS lets go of what `prepareToPlay` took.
    open func stop() { _ = halt() }

    private func halt() -> Bool {
        lock.withLock {
            guard playing else { return false }
            (playing, leaving) = (false, true)
            return true
        }
    }

    open var isPlaying: Bool { lock.withLock { playing } }

    // MARK: Position

    /// Seconds; 0 if the file does not say.
    open var duration: TimeInterval { Double(fileFrames) / fileRate }

    /// Seconds of the clock that `play(atTime:)` goes by.
    open var deviceCurrentTime: TimeInterval { AVAudioTime.seconds(forHostTime: SoundOutput.shared.now) }

    /// Seconds from the beginning.
    open var currentTime: TimeInterval {
        get { lock.withLock { Double(max(0, position - Int64(converter.pendingFrames + (stretcher?.pendingFrames ?? 0)))) / fileRate } }
        set { lock.withLock { seek(to: newValue.isFinite ? Int64(min(max(0, newValue), 1e7) * fileRate) : 0) } }
    }

    private func seek(to frame: Int64) {
        let target = fileFrames > 0 ? min(frame, fileFrames) : frame
        guard reader.seek(to: target) else { return }
        position = target
        stretcher = nil
        converter.reset()
    }

    // MARK: Sound

    /// Times it is repeated; below 0 until it is stopped.
    open var numberOfLoops: Int {
        get { lock.withLock { loops } }
        set { lock.withLock { (loops, loopsLeft) = (newValue, newValue) } }
    }

    /// 0 to 1.
    open var volume: Float {
        get { lock.withLock { gain.target } }
        set { lock.withLock { gain.set(newValue) } }
    }

    open func setVolume(_ volume: Float, fadeDuration duration: TimeInterval) { lock.withLock { gain.set(volume, over: duration) } }

    /// -1 left to 1 right.
    open var pan: Float {
        get { lock.withLock { gain.pan } }
        set { lock.withLock { gain.pan = newValue } }
    }

    /// 0.5 to 2, if `enableRate`.
    open var rate: Float {
        get { lock.withLock { speed } }
        set { lock.withLock { speed = newValue.isFinite ? max(0.5, min(2, newValue)) : 1 } }
    }

    open var numberOfChannels: Int { reader.channels }
    open var format: AVAudioFormat { AVAudioFormat(floatAt: fileRate, channels: reader.channels) }
    open var settings: [String: Any] { format.settings }

    open var isMeteringEnabled: Bool {
        get { lock.withLock { meters.isEnabled } }
        set { lock.withLock { meters.isEnabled = newValue } }
    }

    /// Takes the levels since the last call.
    open func updateMeters() { lock.withLock { (meters.shown, meters.current) = (meters.current, Levels()) } }
    /// dB of full scale, -160 for silence.
    open func averagePower(forChannel channelNumber: Int) -> Float { lock.withLock { meters.shown.average(channelNumber) } }
    open func peakPower(forChannel channelNumber: Int) -> Float { lock.withLock { meters.shown.peak(channelNumber) } }
}

extension AVAudioPlayer: RenderSource {
    package func render(_ frames: Int, to output: UnsafeMutablePointer<Float>, at clock: RenderClock) -> Bool {
        lock.lock()
        defer { lock.unlock() }
        guard playing || leaving else { return false }
        if let startTime {
            if leaving { return stopLeaving() }
            guard clock.hostTime + UInt64(Double(frames) / clock.sampleRate * 1e9) > startTime else { return true }
            self.startTime = nil
        }
        if scratch.count != 2 * frames { scratch = [Float](repeating: 0, count: 2 * frames) }
        let made = scratch.withUnsafeMutableBufferPointer { scratch -> Int in
            guard let base = scratch.baseAddress else { return 0 }
            let made = converter.pull(frames, to: base, rate: clock.sampleRate) { read($0, $1) }
            let levels = gain.mix(base, frames: made, to: output, rate: clock.sampleRate, scale: leaving ? 0 : 1)
            if meters.isEnabled { meters.current = levels }
            return made
        }
        if leaving { return stopLeaving() }
        guard made < frames else { return true }
        playing = false
        seek(to: 0)
        SoundOutput.shared.whenHeard { self.delegate?.audioPlayerDidFinishPlaying(self, successfully: true) }
        return false
    }

    private func stopLeaving() -> Bool {
        leaving = false
        return false
    }

    private func read(_ samples: UnsafeMutablePointer<Float>, _ count: Int) -> Int {
        let speed = enableRate ? Double(speed) : 1
        if speed == 1, stretcher == nil { return readFile(samples, count) }
        if stretcher == nil { stretcher = TimeStretcher(channels: reader.channels, sampleRate: fileRate) }
        return stretcher?.read(samples, count, speed: speed) { readFile($0, $1) } ?? 0
    }

    private func readFile(_ samples: UnsafeMutablePointer<Float>, _ count: Int) -> Int {
        var frames = reader.read(into: samples, frames: count)
        if frames == 0, loopsLeft != 0, position > 0, reader.seek(to: 0) {
            if loopsLeft > 0 { loopsLeft -= 1 }
            position = 0
            frames = reader.read(into: samples, frames: count)
        }
        position += Int64(frames)
        return frames
    }
}

extension AVAudioPlayer: Interruptible {
    func interrupt() -> Bool { halt() }
}

/// Errors of files, as Audio File Services has them.
enum AudioFileError {
    static func error(_ error: any Error, _ url: URL?) -> NSError {
        let name = url.map { "\($0.lastPathComponent): " } ?? ""
        let code = switch (error as? SoundFileError)?.code {
        case .system: 2_003_334_207 // 'wht?', as iOS has it for a file that is not there
        case .unknownFormat: 0x7479_703F // 'typ?'
        case .unsupported: 0x666D_743F // 'fmt?'
        default: 0x6474_613F // 'dta?'
        }
        return NSError(domain: NSOSStatusErrorDomain, code: code, userInfo: [NSLocalizedDescriptionKey: name + "\(error)"])
    }
}

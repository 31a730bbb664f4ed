import FasciaAppRuntime
import FasciaSoundFile
import Foundation

public struct AVAudioPlayerNodeBufferOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }

    public static let loops = Self(rawValue: 1)
    /// What plays stops and is forgotten.
    public static let interrupts = Self(rawValue: 2)
    /// What loops stops at the end of its turn.
    public static let interruptsAtLoop = Self(rawValue: 4)
}

public enum AVAudioPlayerNodeCompletionCallbackType: Int, Sendable { case dataConsumed, dataRendered, dataPlayedBack }

public typealias AVAudioNodeCompletionHandler = @Sendable () -> Void
public typealias AVAudioPlayerNodeCompletionHandler = @Sendable (AVAudioPlayerNodeCompletionCallbackType) -> Void

/// Plays buffers and files one after the other, without gaps. Completion handlers run on a queue of their own.
open class AVAudioPlayerNode: AVAudioNode, AVAudioMixing, @unchecked Sendable {
    private let lock = NSLock()
    private var gain = Gain()
    private var schedule = PlayerSchedule()
    private var playing = false
    private var startTime: AVAudioTime?
    /// Frames rendered since `play` after `stop`, at `renderRate`.
    private var played: Int64 = 0
    private var renderRate = 0.0
    /// The engine's frame at which the node's own count was 0.
    private var anchor: Int64 = 0
    private var converter: StereoConverter?
    private var scratch: [Float] = []

    public override init() { super.init() }

    open override var numberOfInputs: Int { 0 }

    // MARK: Scheduling

    open func scheduleBuffer(_ buffer: AVAudioPCMBuffer, completionHandler: AVAudioNodeCompletionHandler? = nil) {
        scheduleBuffer(buffer, at: nil, options: [], completionHandler: completionHandler)
    }

    open func scheduleBuffer(
        _ buffer: AVAudioPCMBuffer, at when: AVAudioTime?, options: AVAudioPlayerNodeBufferOptions = [], completionHandler: AVAudioNodeCompletionHandler? = nil
    ) {
        scheduleBuffer(buffer, at: when, options: options, completionCallbackType: .dataConsumed) { _ in completionHandler?() }
    }

    open func scheduleBuffer(
        _ buffer: AVAudioPCMBuffer, completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType,
        completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
    ) {
        scheduleBuffer(buffer, at: nil, options: [], completionCallbackType: callbackType, completionHandler: completionHandler)
    }

    open func scheduleBuffer(
        _ buffer: AVAudioPCMBuffer, at when: AVAudioTime?, options: AVAudioPlayerNodeBufferOptions = [],
        completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType, completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
    ) {
        add(.buffer(buffer, loops: options.contains(.loops)), when, options, callbackType, completionHandler)
    }

    open func scheduleFile(_ file: AVAudioFile, at when: AVAudioTime?, completionHandler: AVAudioNodeCompletionHandler? = nil) {
        scheduleFile(file, at: when, completionCallbackType: .dataConsumed) { _ in completionHandler?() }
    }

    open func scheduleFile(
        _ file: AVAudioFile, at when: AVAudioTime?, completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType,
        completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
    ) {
        scheduleSegment(file, startingFrame: 0, frameCount: AVAudioFrameCount(clamping: file.length), at: when, completionCallbackType: callbackType,
                        completionHandler: completionHandler)
    }

    open func scheduleSegment(
        _ file: AVAudioFile, startingFrame startFrame: AVAudioFramePosition, frameCount numberFrames: AVAudioFrameCount, at when: AVAudioTime?,
        completionHandler: AVAudioNodeCompletionHandler? = nil
    ) {
        scheduleSegment(file, startingFrame: startFrame, frameCount: numberFrames, at: when, completionCallbackType: .dataConsumed) { _ in completionHandler?() }
    }

    open func scheduleSegment(
        _ file: AVAudioFile, startingFrame startFrame: AVAudioFramePosition, frameCount numberFrames: AVAudioFrameCount, at when: AVAudioTime?,
        completionCallbackType callbackType: AVAudioPlayerNodeCompletionCallbackType, completionHandler: AVAudioPlayerNodeCompletionHandler? = nil
    ) {
        // A reader of its own: the same file may be scheduled twice, or read meanwhile.
        guard let reader = try? SoundFileReader(path: file.url.path), reader.seek(to: startFrame) else { return printError("\(file.url.lastPathComponent) cannot be read") }
        add(.file(reader, frames: Int64(numberFrames)), when, [], callbackType, completionHandler)
    }

    open func scheduleBuffer(_ buffer: AVAudioPCMBuffer) async {
        await withCheckedContinuation { done in scheduleBuffer(buffer) { done.resume() } }
    }

    open func scheduleBuffer(_ buffer: AVAudioPCMBuffer, at when: AVAudioTime?, options: AVAudioPlayerNodeBufferOptions = []) async {
        await withCheckedContinuation { done in scheduleBuffer(buffer, at: when, options: options) { done.resume() } }
    }

    open func scheduleFile(_ file: AVAudioFile, at when: AVAudioTime?) async {
        await withCheckedContinuation { done in scheduleFile(file, at: when) { done.resume() } }
    }

    private func add(
        _ content: PlayerSchedule.Content, _ when: AVAudioTime?, _ options: AVAudioPlayerNodeBufferOptions, _ type: AVAudioPlayerNodeCompletionCallbackType,
        _ handler: AVAudioPlayerNodeCompletionHandler?
    ) {
        lock.withLock { schedule.add(PlayerSchedule.Item(content: content, when: when, completion: handler, callback: type), options: options) }
    }

    // MARK: Control

    /// Raises when the engine does not run, as on iOS.
    open func play() { play(at: nil) }

    open func play(at when: AVAudioTime?) {
        guard let engine, engine.isRunning else {
            return Faults.raise(avfaudioErrorDomain, "required condition is false: _engine->IsRunning(): player started when engine not running")
        }
        lock.withLock {
            if !playing { gain.begin() }
            (playing, startTime) = (true, when)
        }
    }

    /// Stops where it is.
    open func pause() { lock.withLock { playing = false } }

    /// Forgets what is scheduled; its completion handlers are called.
    open func stop() {
        lock.withLock {
            (playing, played, anchor) = (false, 0, 0)
            schedule.clear()
            converter = nil
        }
    }

    open override func reset() { stop() }

    open var isPlaying: Bool { lock.withLock { playing } }

    /// 0 to 1.
    open var volume: Float {
        get { lock.withLock { gain.target } }
        set { lock.withLock { gain.set(newValue) } }
    }

    /// -1 left to 1 right.
    open var pan: Float {
        get { lock.withLock { gain.pan } }
        set { lock.withLock { gain.pan = newValue } }
    }

    // MARK: Time

    /// The player's own time, which stands while it is paused, in the frames of its format.
    open func playerTime(forNodeTime nodeTime: AVAudioTime) -> AVAudioTime? {
        lock.withLock {
            guard playing, renderRate > 0, nodeTime.isSampleTimeValid else { return nil }
            let rate = (connectedFormat ?? AVAudioNode.hardwareFormat).sampleRate
            return AVAudioTime(hostTime: nodeTime.hostTime, sampleTime: AVAudioFramePosition(Double(nodeTime.sampleTime - anchor) * rate / renderRate), atRate: rate)
        }
    }

    open func nodeTime(forPlayerTime playerTime: AVAudioTime) -> AVAudioTime? {
        lock.withLock {
            guard playing, renderRate > 0, playerTime.isSampleTimeValid, playerTime.sampleRate > 0 else { return nil }
            return AVAudioTime(sampleTime: anchor + AVAudioFramePosition(Double(playerTime.sampleTime) * renderRate / playerTime.sampleRate), atRate: renderRate)
        }
    }

    // MARK: Rendering

    override func make(_ frames: Int, to output: UnsafeMutablePointer<Float>, at clock: RenderClock) {
        output.update(repeating: 0, count: 2 * frames)
        lock.lock()
        defer { lock.unlock() }
        guard playing else { return }
        if let startTime {
            guard startTime.isDue(clock, frames) else { return }
            self.startTime = nil
        }
        renderRate = clock.sampleRate
        anchor = clock.sampleTime - played
        played += Int64(frames)
        if scratch.count != 2 * frames { scratch = [Float](repeating: 0, count: 2 * frames) }
        scratch.withUnsafeMutableBufferPointer { scratch in
            guard let base = scratch.baseAddress else { return }
            let made = fill(frames, base, clock)
            gain.mix(base, frames: made, to: output, rate: clock.sampleRate)
        }
    }

    private func fill(_ frames: Int, _ target: UnsafeMutablePointer<Float>, _ clock: RenderClock) -> Int {
        var made = 0
        while made < frames {
            guard let shape = schedule.nextShape(clock, frames, player: AVAudioTime(sampleTime: played, atRate: clock.sampleRate)) else {
                // What the resampler holds of the last item still sounds.
                if let converter { made += converter.pull(frames - made, to: target + 2 * made, rate: clock.sampleRate) { _, _ in 0 } }
                converter = nil
                return made
            }
            if converter?.sampleRate != shape.sampleRate || converter?.channels != shape.channels {
                converter = StereoConverter(channels: shape.channels, sampleRate: shape.sampleRate)
            }
            guard let converter else { return made }
            let before = made
            made += converter.pull(frames - made, to: target + 2 * made, rate: clock.sampleRate) { schedule.read($0, $1, shape) }
            if made < frames { self.converter = nil } // another shape follows, or nothing
            if made == before, schedule.isStuck { return made }
        }
        return made
    }
}

extension AVAudioTime {
    /// Falls before the end of this block.
    func isDue(_ clock: RenderClock, _ frames: Int) -> Bool {
        if isHostTimeValid { return hostTime < clock.hostTime + UInt64(Double(frames) / clock.sampleRate * 1e9) }
        guard isSampleTimeValid, sampleRate > 0 else { return true }
        return Double(sampleTime) / sampleRate < Double(clock.sampleTime + Int64(frames)) / clock.sampleRate
    }
}

import Foundation

public typealias AVAudioNodeTapBlock = (_ buffer: AVAudioPCMBuffer, _ when: AVAudioTime) -> Void

/// A part of an engine's graph. Inside, every connection carries stereo at the rate of rendering; the formats given to `connect` say how
/// nodes describe themselves.
open class AVAudioNode: NSObject, @unchecked Sendable {
    struct Connection {
        let node: AVAudioNode
        let bus: AVAudioNodeBus
    }

    /// Guards the graph; nodes of one engine share its lock.
    public internal(set) weak var engine: AVAudioEngine?
    /// By input bus; under the engine's lock.
    var inputs: [AVAudioNodeBus: Connection] = [:]
    /// As connected; under the engine's lock.
    var connectedFormat: AVAudioFormat?
    private let tapLock = NSLock()
    private var tap: Tap?
    private var lastTime: AVAudioTime?

    override init() { super.init() }

    open var numberOfInputs: Int { 0 }
    open var numberOfOutputs: Int { 1 }

    open func inputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat { outputFormat(forBus: bus) }
    open func outputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat { connectedFormat ?? Self.hardwareFormat }
    open func name(forInputBus bus: AVAudioNodeBus) -> String? { nil }
    open func name(forOutputBus bus: AVAudioNodeBus) -> String? { nil }
    open func reset() {}

    static var hardwareFormat: AVAudioFormat { AVAudioFormat(floatAt: AVAudioSession.sharedInstance().sampleRate, channels: 2) }

    /// The moment of the last block; nil unless the engine runs.
    open var lastRenderTime: AVAudioTime? {
        // Asked first: rendering takes the engine's lock and then the tap's.
        engine?.isRunning == true ? tapLock.withLock { lastTime } : nil
    }

    // MARK: Taps

    /// Hands over what leaves the node, in buffers of at most `bufferSize` frames (a tenth of a second, if that is less), on a queue of its own.
    open func installTap(onBus bus: AVAudioNodeBus, bufferSize: AVAudioFrameCount, format: AVAudioFormat?, block tapBlock: @escaping AVAudioNodeTapBlock) {
        let format = format ?? outputFormat(forBus: bus)
        tapLock.withLock { tap = Tap(format: format, bufferSize: Int(bufferSize), block: tapBlock) }
        tapChanged()
    }

    open func removeTap(onBus bus: AVAudioNodeBus) {
        tapLock.withLock { tap = nil }
        tapChanged()
    }

    var hasTap: Bool { tapLock.withLock { tap != nil } }
    func tapChanged() {}

    func offer(_ samples: UnsafePointer<Float>, frames: Int, channels: Int, rate: Double, at time: AVAudioTime) {
        tapLock.lock()
        defer { tapLock.unlock() }
        lastTime = time
        tap?.take(samples, frames: frames, channels: channels, rate: rate, at: time)
    }

    // MARK: Rendering, under the engine's lock

    /// Overwrites `output` with stereo frames.
    func make(_ frames: Int, to output: UnsafeMutablePointer<Float>, at clock: RenderClock) { output.update(repeating: 0, count: 2 * frames) }

    final func pull(_ frames: Int, to output: UnsafeMutablePointer<Float>, at clock: RenderClock) {
        make(frames, to: output, at: clock)
        offer(output, frames: frames, channels: 2, rate: clock.sampleRate,
              at: AVAudioTime(hostTime: clock.hostTime, sampleTime: clock.sampleTime, atRate: clock.sampleRate))
    }
}

/// Gathers samples into buffers of the format asked for.
private final class Tap: @unchecked Sendable {
    private let format: AVAudioFormat
    private let size: Int
    private let block: AVAudioNodeTapBlock
    private let queue = DispatchQueue(label: "audio-tap")
    private var converter: StereoConverter?
    private var gathered: [Float] = []
    private var start: AVAudioTime?

    init(format: AVAudioFormat, bufferSize: Int, block: @escaping AVAudioNodeTapBlock) {
        self.format = format
        size = max(64, min(bufferSize, Int(format.sampleRate / 10)))
        self.block = block
    }

    func take(_ samples: UnsafePointer<Float>, frames: Int, channels: Int, rate: Double, at time: AVAudioTime) {
        if converter?.sampleRate != rate || converter?.channels != channels { converter = StereoConverter(channels: channels, sampleRate: rate) }
        guard let converter else { return }
        if start == nil { start = time }
        var taken = 0
        var piece = [Float](repeating: 0, count: 2 * (Int(Double(frames) * format.sampleRate / rate) + 2))
        let room = piece.count / 2
        let made = piece.withUnsafeMutableBufferPointer { piece -> Int in
            guard let base = piece.baseAddress else { return 0 }
            return converter.pullAvailable(room, to: base, rate: format.sampleRate) { target, count in
                let count = min(count, frames - taken)
                guard count > 0 else { return 0 }
                target.update(from: samples + taken * channels, count: count * channels)
                taken += count
                return count
            }
        }
        gathered += piece.prefix(2 * made)
        while gathered.count >= 2 * size { deliver() }
    }

    private func deliver() {
        guard let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(size)) else { return gathered.removeAll() }
        buffer.frameLength = AVAudioFrameCount(size)
        let isMono = format.channelCount == 1
        for frame in 0..<size {
            let (left, right) = (gathered[2 * frame], gathered[2 * frame + 1])
            if isMono { buffer.set(frame, 0, (left + right) / 2) } else {
                buffer.set(frame, 0, left)
                buffer.set(frame, 1, right)
            }
        }
        gathered.removeFirst(2 * size)
        let when = start ?? AVAudioTime(hostTime: SoundOutput.shared.now)
        start = AVAudioTime(hostTime: when.hostTime + UInt64(Double(size) / format.sampleRate * 1e9),
                            sampleTime: when.sampleTime + AVAudioFramePosition(Double(size) / format.sampleRate * max(1, when.sampleRate)), atRate: max(1, when.sampleRate))
        queue.async { self.block(buffer, when) }
    }
}

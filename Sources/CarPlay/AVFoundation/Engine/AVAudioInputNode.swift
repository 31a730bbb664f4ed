import Foundation

/// The car's microphone as a node: 16 kHz, one channel.
open class AVAudioInputNode: AVAudioNode, AVAudioMixing, @unchecked Sendable {
    /// Seconds of the microphone that wait to be rendered at most.
    private static let patience = 0.25

    private let lock = NSLock()
    private var gain = Gain()
    private var heard: [Float] = []
    private var scratch: [Float] = []
    private let converter = StereoConverter(channels: 1, sampleRate: Double(Microphone.sampleRate))
    private var isListening = false
    private var isEngineRunning = false
    private var framesHeard: AVAudioFramePosition = 0

    open override var numberOfInputs: Int { 1 }
    open override func outputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat { AVAudioFormat(floatAt: Double(Microphone.sampleRate), channels: 1) }
    open override func inputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat { outputFormat(forBus: bus) }

    open var volume: Float {
        get { lock.withLock { gain.target } }
        set { lock.withLock { gain.set(newValue) } }
    }

    open var pan: Float {
        get { lock.withLock { gain.pan } }
        set { lock.withLock { gain.pan = newValue } }
    }

    func engineChanged(running: Bool) {
        lock.withLock { isEngineRunning = running }
        tapChanged()
    }

    /// Something takes what it hears.
    var isWanted: Bool {
        hasTap || engine.map { engine in engine.graph.withLock { engine.attachedNodes.contains { $0.inputs.values.contains { $0.node === self } } } } ?? false
    }

    override func tapChanged() { listen(lock.withLock { isEngineRunning } && isWanted) }

    func listen(_ wanted: Bool) {
        let changes = lock.withLock {
            defer { isListening = wanted }
            return isListening != wanted
        }
        guard changes else { return }
        guard wanted else { return Microphone.shared.close(for: self) }
        Microphone.shared.open(for: self, { [weak self] time, samples in self?.received(samples, time) }, lost: { [weak self] _, wasOpen in self?.lost(wasOpen) })
    }

    /// As when an input device is pulled out: the engine stops, and the app is told to start it again when it can. Of a car without a
    /// microphone it hears silence.
    private func lost(_ wasOpen: Bool) {
        lock.withLock { isListening = false }
        if wasOpen { engine?.inputLost() }
    }

    /// On the socket's thread: taps have it at once, the graph at its next block.
    private func received(_ samples: [Int16], _ time: UInt64) {
        let floats = samples.map { Float($0) / 32_768 }
        let position = lock.withLock {
            heard += floats
            let most = Int(Self.patience * Double(Microphone.sampleRate))
            if heard.count > most { heard.removeFirst(heard.count - most) }
            defer { framesHeard += AVAudioFramePosition(floats.count) }
            return framesHeard
        }
        floats.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return }
            offer(base, frames: floats.count, channels: 1, rate: Double(Microphone.sampleRate),
                  at: AVAudioTime(hostTime: time, sampleTime: position, atRate: Double(Microphone.sampleRate)))
        }
    }

    override func make(_ frames: Int, to output: UnsafeMutablePointer<Float>, at clock: RenderClock) {
        output.update(repeating: 0, count: 2 * frames)
        lock.lock()
        defer { lock.unlock() }
        if scratch.count != 2 * frames { scratch = [Float](repeating: 0, count: 2 * frames) }
        scratch.withUnsafeMutableBufferPointer { scratch in
            guard let base = scratch.baseAddress else { return }
            let made = converter.pullAvailable(frames, to: base, rate: clock.sampleRate) { target, count in
                let count = min(count, heard.count)
                for index in 0..<count { target[index] = heard[index] }
                heard.removeFirst(count)
                return count
            }
            gain.mix(base, frames: made, to: output, rate: clock.sampleRate)
        }
    }
}

import Foundation

/// How loud, and where between left and right, a node is in the mixer it feeds.
public protocol AVAudioStereoMixing: NSObjectProtocol {
    /// -1 left to 1 right.
    var pan: Float { get set }
}

public protocol AVAudioMixing: AVAudioStereoMixing {
    /// 0 to 1.
    var volume: Float { get set }
}

/// Adds up what is connected to it.
open class AVAudioMixerNode: AVAudioNode, AVAudioMixing, @unchecked Sendable {
    private let lock = NSLock()
    private var gain = Gain()
    private var scratch: [Float] = []
    private var sum: [Float] = []

    public override init() { super.init() }

    open override var numberOfInputs: Int { withGraph { inputs.count } + 1 }

    /// 0 to 1.
    open var outputVolume: Float {
        get { lock.withLock { gain.target } }
        set { lock.withLock { gain.set(newValue) } }
    }

    open var volume: Float {
        get { outputVolume }
        set { outputVolume = newValue }
    }

    open var pan: Float {
        get { lock.withLock { gain.pan } }
        set { lock.withLock { gain.pan = newValue } }
    }

    /// A bus nothing is connected to.
    open var nextAvailableInputBus: AVAudioNodeBus { withGraph { freeBus } }

    private func withGraph<T>(_ body: () -> T) -> T { engine?.graph.withLock(body) ?? body() }

    var freeBus: AVAudioNodeBus { (0...inputs.count).first { inputs[$0] == nil } ?? inputs.count }

    override func make(_ frames: Int, to output: UnsafeMutablePointer<Float>, at clock: RenderClock) {
        output.update(repeating: 0, count: 2 * frames)
        if scratch.count != 2 * frames {
            scratch = [Float](repeating: 0, count: 2 * frames)
            sum = scratch
        }
        scratch.withUnsafeMutableBufferPointer { scratch in
            sum.withUnsafeMutableBufferPointer { sum in
                guard let piece = scratch.baseAddress, let total = sum.baseAddress else { return }
                total.update(repeating: 0, count: 2 * frames)
                for bus in inputs.keys.sorted() {
                    guard let node = inputs[bus]?.node else { continue }
                    node.pull(frames, to: piece, at: clock)
                    for index in 0..<2 * frames { total[index] += piece[index] }
                }
                lock.lock()
                gain.mix(total, frames: frames, to: output, rate: clock.sampleRate)
                lock.unlock()
            }
        }
    }
}

/// What leaves the engine.
open class AVAudioOutputNode: AVAudioNode, @unchecked Sendable {
    open override var numberOfInputs: Int { 1 }

    override func make(_ frames: Int, to output: UnsafeMutablePointer<Float>, at clock: RenderClock) {
        guard let source = inputs[0]?.node else { return output.update(repeating: 0, count: 2 * frames) }
        source.pull(frames, to: output, at: clock)
    }
}

import Foundation

public typealias AVAudioSourceNodeRenderBlock = (
    _ isSilence: UnsafeMutablePointer<ObjCBool>, _ timestamp: UnsafePointer<AudioTimeStamp>, _ frameCount: AVAudioFrameCount,
    _ outputData: UnsafeMutablePointer<AudioBufferList>
) -> OSStatus

/// Sound the app computes as it is needed. The block runs on the render thread.
open class AVAudioSourceNode: AVAudioNode, AVAudioMixing, @unchecked Sendable {
    private let block: AVAudioSourceNodeRenderBlock
    private let format: AVAudioFormat?
    private let lock = NSLock()
    private var gain = Gain()
    private var buffer: AVAudioPCMBuffer?
    private var converter: StereoConverter?
    private var scratch: [Float] = []
    private var sampleTime: Double = 0

    /// The block is asked for deinterleaved Float32 as connected.
    public init(renderBlock block: @escaping AVAudioSourceNodeRenderBlock) {
        self.block = block
        format = nil
        super.init()
    }

    public init(format: AVAudioFormat, renderBlock block: @escaping AVAudioSourceNodeRenderBlock) {
        self.block = block
        self.format = format
        super.init()
    }

    open var volume: Float {
        get { lock.withLock { gain.target } }
        set { lock.withLock { gain.set(newValue) } }
    }

    open var pan: Float {
        get { lock.withLock { gain.pan } }
        set { lock.withLock { gain.pan = newValue } }
    }

    open override func outputFormat(forBus bus: AVAudioNodeBus) -> AVAudioFormat { format ?? super.outputFormat(forBus: bus) }

    override func make(_ frames: Int, to output: UnsafeMutablePointer<Float>, at clock: RenderClock) {
        output.update(repeating: 0, count: 2 * frames)
        let format = format ?? connectedFormat ?? AVAudioFormat(floatAt: clock.sampleRate, channels: 2)
        if buffer?.format != format { buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 1_024) }
        if converter?.sampleRate != format.sampleRate || converter?.channels != Int(format.channelCount) {
            converter = StereoConverter(channels: Int(format.channelCount), sampleRate: format.sampleRate)
        }
        guard let buffer, let converter else { return }
        if scratch.count != 2 * frames { scratch = [Float](repeating: 0, count: 2 * frames) }
        scratch.withUnsafeMutableBufferPointer { scratch in
            guard let base = scratch.baseAddress else { return }
            let made = converter.pull(frames, to: base, rate: clock.sampleRate) { compute(buffer, $0, $1, clock) }
            lock.lock()
            gain.mix(base, frames: made, to: output, rate: clock.sampleRate)
            lock.unlock()
        }
    }

    /// Has the block make frames; what is not made is silence.
    private func compute(_ buffer: AVAudioPCMBuffer, _ target: UnsafeMutablePointer<Float>, _ count: Int, _ clock: RenderClock) -> Int {
        let count = min(count, Int(buffer.frameCapacity)), channels = Int(buffer.format.channelCount)
        buffer.frameLength = AVAudioFrameCount(count)
        var silence = ObjCBool(false)
        var time = AudioTimeStamp(mSampleTime: sampleTime, mHostTime: clock.hostTime, mFlags: .sampleHostTimeValid)
        let status = block(&silence, &time, AVAudioFrameCount(count), buffer.mutableAudioBufferList)
        sampleTime += Double(count)
        let isSilent = status != noErr || silence.boolValue
        for frame in 0..<count {
            for channel in 0..<channels { target[frame * channels + channel] = isSilent ? 0 : buffer.sample(frame, channel) }
        }
        return count
    }
}

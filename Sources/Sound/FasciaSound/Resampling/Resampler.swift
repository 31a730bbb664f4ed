import CSamplerate

/// Changes the rate of a stream as it goes by (libsamplerate). The ratio may change from call to call; within a call it glides, so that
/// a correction is not heard. Not for use by two threads at once.
public final class Resampler {
    public enum Quality: Sendable {
        /// 97 dB signal to noise, 80 % of the band.
        case fast
        /// 144 dB, 97 % of the band, for work that is not in real time.
        case best
    }

    public let channels: Int
    private let state: OpaquePointer
    private var data = SRC_DATA()

    public init(channels: Int, quality: Quality = .fast) throws(SoundError) {
        var status: Int32 = 0
        let converter = quality == .fast ? SRC_SINC_FASTEST : SRC_SINC_BEST_QUALITY
        guard channels > 0, let state = src_new(Int32(converter), Int32(clamping: channels), &status) else { throw Self.error(status) }
        (self.channels, self.state) = (channels, state)
    }

    deinit { src_delete(state) }

    /// - Parameters:
    ///   - ratio: output rate over input rate, 1/256 … 256.
    ///   - last: nothing follows; what is inside comes out.
    /// - Returns: frames taken from `input` and frames written to `output`.
    public func process(
        _ input: UnsafePointer<Float>, frames: Int, into output: UnsafeMutablePointer<Float>, room: Int, ratio: Double, last: Bool = false
    ) throws(SoundError) -> (used: Int, made: Int) {
        data.data_in = input
        data.input_frames = frames
        data.data_out = output
        data.output_frames = room
        data.src_ratio = ratio
        data.end_of_input = last ? 1 : 0
        let status = src_process(state, &data)
        guard status == 0 else { throw Self.error(status) }
        return (data.input_frames_used, data.output_frames_gen)
    }

    /// Forgets what went by.
    public func reset() { src_reset(state) }

    private static func error(_ status: Int32) -> SoundError {
        SoundError(.library, src_strerror(status).map { "libsamplerate: \(String(cString: $0))" } ?? "libsamplerate cannot start")
    }
}

extension Resampler {
    /// A whole sound at another rate.
    public static func convert(_ block: PCMBlock, to sampleRate: Int, quality: Quality = .best) throws(SoundError) -> PCMBlock {
        guard block.sampleRate != sampleRate, block.frames > 0 else { return block }
        let resampler = try Resampler(channels: block.channels, quality: quality)
        let ratio = Double(sampleRate) / Double(max(1, block.sampleRate))
        let room = Int(Double(block.frames) * ratio) + 64
        var output = [Float](repeating: 0, count: room * block.channels)
        let result = block.samples.withUnsafeBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                Result { () throws(SoundError) in
                    guard let from = input.baseAddress, let to = output.baseAddress else { return 0 }
                    return try resampler.process(from, frames: block.frames, into: to, room: room, ratio: ratio, last: true).made
                }
            }
        }
        output.removeLast(output.count - (try result.get()) * block.channels)
        return PCMBlock(samples: output, channels: block.channels, sampleRate: sampleRate)
    }
}

import AVFoundation

/// Plays a score with the audio engine: short buffers, a few ahead.
final class ScorePlayback: Playback {
    private static let buffersAhead = 3
    private static let bufferSeconds = 0.25

    var didFinish: (() -> Void)?
    var rate: Float = 1

    private let score: Score
    private let engine = AVAudioEngine()
    private let node = AVAudioPlayerNode()
    private let format: AVAudioFormat
    private var synthesizer: Synthesizer
    private var scheduled = 0
    /// Times of the score at which the scheduled buffers begin, the sounding one first.
    private var starts: [TimeInterval] = []
    private var soundingSince = Date()
    private var isPlaying = false
    /// Rises with every seek: buffers of before have nothing to say.
    private var generation = 0

    init?(score: Score) {
        guard let format = AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2) else { return nil }
        self.score = score
        self.format = format
        synthesizer = Synthesizer(score: score, at: 0, sampleRate: format.sampleRate)
        engine.attach(node)
        engine.connect(node, to: engine.mainMixerNode, format: format)
    }

    deinit {
        node.stop()
        engine.stop()
    }

    var elapsed: TimeInterval {
        guard let start = starts.first else { return min(synthesizer.time, score.duration) }
        let since = isPlaying ? min(Self.bufferSeconds, Date().timeIntervalSince(soundingSince)) * TimeInterval(rate) : 0
        return min(start + since, score.duration)
    }

    func play() -> Bool {
        do { try engine.start() } catch {
            print("The engine did not start: \(error.localizedDescription)")
            return false
        }
        while scheduled < Self.buffersAhead, scheduleNext() {}
        node.play()
        isPlaying = true
        soundingSince = Date()
        return true
    }

    func pause() {
        isPlaying = false
        node.pause()
        engine.pause()
    }

    func seek(to time: TimeInterval) {
        let wasPlaying = isPlaying
        generation += 1
        node.stop()
        scheduled = 0
        starts = []
        synthesizer = Synthesizer(score: score, at: min(max(0, time), score.duration), sampleRate: format.sampleRate)
        if wasPlaying { _ = play() }
    }

    /// False at the end of the score.
    private func scheduleNext() -> Bool {
        let frames = AVAudioFrameCount(Self.bufferSeconds * format.sampleRate)
        guard !synthesizer.isAtEnd, let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: frames), let channels = buffer.floatChannelData else { return false }
        buffer.frameLength = frames
        starts.append(synthesizer.time)
        synthesizer.render(Int(frames), left: channels[0], right: channels[1], rate: Double(rate))
        scheduled += 1
        let generation = self.generation
        node.scheduleBuffer(buffer, completionHandler: { [weak self] in
            DispatchQueue.main.async { [weak self] in self?.bufferEnded(generation) }
        })
        return true
    }

    private func bufferEnded(_ generation: Int) {
        guard generation == self.generation else { return }
        scheduled -= 1
        if !starts.isEmpty { starts.removeFirst() }
        soundingSince = Date()
        if !scheduleNext(), scheduled == 0 {
            pause()
            didFinish?()
        }
    }
}

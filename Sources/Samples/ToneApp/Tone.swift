import AVFoundation

/// A tone, as long as it is wanted: music of 440 Hz, or a turn prompt of 2 kHz that brings others down.
final class Tone {
    enum Kind { case music, prompt }

    private let kind: Kind
    private let engine = AVAudioEngine()
    private let player = AVAudioPlayerNode()
    private let buffer: AVAudioPCMBuffer?

    init(_ kind: Kind) {
        self.kind = kind
        let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2)
        buffer = format.flatMap { AVAudioPCMBuffer(pcmFormat: $0, frameCapacity: 48_000) }
        engine.attach(player)
        engine.connect(player, to: engine.mainMixerNode, format: format)
        guard let buffer, let channels = buffer.floatChannelData else { return }
        buffer.frameLength = 48_000 // whole periods, so that it loops without a seam
        let (frequency, amplitude): (Double, Float) = kind == .music ? (440, 0.25) : (2_000, 0.05)
        for frame in 0..<48_000 {
            let sample = Float(sin(2 * Double.pi * frequency * Double(frame) / 48_000)) * amplitude
            channels[0][frame] = sample
            channels[1][frame] = sample
        }
    }

    func start() throws {
        guard let buffer, !player.isPlaying else { return }
        let session = AVAudioSession.sharedInstance()
        switch kind {
        case .music: try session.setCategory(.playback)
        case .prompt: try session.setCategory(.playback, mode: .voicePrompt, options: .duckOthers)
        }
        try session.setActive(true)
        try engine.start()
        player.scheduleBuffer(buffer, at: nil, options: .loops, completionHandler: nil)
        player.play()
    }

    func stop() {
        guard player.isPlaying else { return }
        player.stop()
        engine.stop()
        try? AVAudioSession.sharedInstance().setActive(false, options: .notifyOthersOnDeactivation)
    }
}

import AVFoundation

/// 440 Hz, as long as it is wanted.
final class Tone {
    private let engine = AVAudioEngine()
    private let player = AVAudioPlayerNode()
    private let buffer: AVAudioPCMBuffer?

    init() {
        let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2)
        buffer = format.flatMap { AVAudioPCMBuffer(pcmFormat: $0, frameCapacity: 48_000) }
        engine.attach(player)
        engine.connect(player, to: engine.mainMixerNode, format: format)
        guard let buffer, let channels = buffer.floatChannelData else { return }
        buffer.frameLength = 48_000 // whole periods, so that it loops without a seam
        for frame in 0..<48_000 {
            let sample = Float(sin(2 * Double.pi * 440 * Double(frame) / 48_000)) * 0.25
            channels[0][frame] = sample
            channels[1][frame] = sample
        }
    }

    func start() throws {
        guard let buffer, !player.isPlaying else { return }
        try AVAudioSession.sharedInstance().setCategory(.playback)
        try AVAudioSession.sharedInstance().setActive(true)
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

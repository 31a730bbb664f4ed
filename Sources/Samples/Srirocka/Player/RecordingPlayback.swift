import AVFoundation

/// Plays a recording's file.
final class RecordingPlayback: NSObject, Playback, AVAudioPlayerDelegate {
    var didFinish: (() -> Void)?
    private let player: AVAudioPlayer

    init?(recording: Recording) {
        do {
            player = try AVAudioPlayer(contentsOf: recording.file())
        } catch {
            print("\(recording.title) cannot be played: \(error.localizedDescription)")
            return nil
        }
        super.init()
        player.enableRate = true
        player.delegate = self
        player.prepareToPlay()
    }

    var elapsed: TimeInterval { player.currentTime }

    var rate: Float {
        get { player.rate }
        set { player.rate = newValue }
    }

    func play() -> Bool { player.play() }
    func pause() { player.pause() }
    func seek(to time: TimeInterval) { player.currentTime = time }

    func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) { didFinish?() }
}

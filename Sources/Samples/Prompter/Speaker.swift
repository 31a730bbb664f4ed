import AVFoundation

/// Speaks over whatever plays: that is ducked, or paused if it is speech itself, and comes back afterwards.
final class Speaker: NSObject, AVSpeechSynthesizerDelegate {
    static let shared = Speaker()

    private let synthesizer = AVSpeechSynthesizer()
    private var completions: [ObjectIdentifier: () -> Void] = [:]

    private override init() {
        super.init()
        synthesizer.delegate = self
        do {
            try AVAudioSession.sharedInstance().setCategory(.playback, mode: .voicePrompt, options: [.duckOthers, .interruptSpokenAudioAndMixWithOthers])
        } catch { print("The category was not set: \(error.localizedDescription)") }
    }

    /// Replaces what is being said: an old prompt is a wrong one.
    func speak(_ text: String, completion: @escaping () -> Void = {}) {
        synthesizer.stopSpeaking(at: .immediate)
        do { try AVAudioSession.sharedInstance().setActive(true) } catch {
            print("The prompt stays silent: \(error.localizedDescription)")
            return completion()
        }
        let utterance = AVSpeechUtterance(string: text)
        utterance.voice = AVSpeechSynthesisVoice(language: "en-GB")
        completions[ObjectIdentifier(utterance)] = completion
        synthesizer.speak(utterance)
    }

    func stop() { synthesizer.stopSpeaking(at: .immediate) }

    func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didFinish utterance: AVSpeechUtterance) { ended(utterance) }
    func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didCancel utterance: AVSpeechUtterance) { ended(utterance) }

    private func ended(_ utterance: AVSpeechUtterance) {
        completions.removeValue(forKey: ObjectIdentifier(utterance))?()
        guard !synthesizer.isSpeaking else { return }
        // Music comes back to its level.
        do { try AVAudioSession.sharedInstance().setActive(false, options: .notifyOthersOnDeactivation) } catch {
            print("The session was not given back: \(error.localizedDescription)")
        }
    }
}

import Foundation

public let AVSpeechUtteranceMinimumSpeechRate: Float = 0
public let AVSpeechUtteranceDefaultSpeechRate: Float = 0.5
public let AVSpeechUtteranceMaximumSpeechRate: Float = 1

/// Something to say, and how.
open class AVSpeechUtterance: NSObject, @unchecked Sendable {
    public let speechString: String
    /// Nil: the phone's language.
    open var voice: AVSpeechSynthesisVoice?
    /// From `AVSpeechUtteranceMinimumSpeechRate` to `…Maximum…`.
    open var rate = AVSpeechUtteranceDefaultSpeechRate
    /// 0.5 to 2.
    open var pitchMultiplier: Float = 1
    /// 0 to 1.
    open var volume: Float = 1
    open var prefersAssistiveTechnologySettings = false
    /// Seconds of silence before.
    open var preUtteranceDelay: TimeInterval = 0
    /// Seconds of silence after.
    open var postUtteranceDelay: TimeInterval = 0

    public init(string: String) {
        speechString = string
        super.init()
    }

    public convenience init(attributedString string: NSAttributedString) { self.init(string: string.string) }

    public var attributedSpeechString: NSAttributedString { NSAttributedString(string: speechString) }

    /// How the helper is told.
    var head: String {
        let code = voice?.code ?? AVSpeechSynthesisVoice(language: nil)?.code ?? "en-us"
        let rate = Double(self.rate.isFinite ? max(0, min(1, self.rate)) : 0.5)
        // 175 words a minute are espeak-ng's normal; twice that the fastest that is understood.
        let words = rate <= 0.5 ? 80 + rate * 190 : 175 + (rate - 0.5) * 350
        let pitch = 50 + 50 * log2(Double(pitchMultiplier.isFinite ? max(0.5, min(2, pitchMultiplier)) : 1))
        return "voice: \(code)\nrate: \(Int(words))\npitch: \(Int(min(99, max(0, pitch))))\n"
    }
}

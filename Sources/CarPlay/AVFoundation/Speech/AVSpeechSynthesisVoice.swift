import Foundation
import Synchronization

public enum AVSpeechSynthesisVoiceQuality: Int, Sendable { case `default` = 1, enhanced, premium }
public enum AVSpeechSynthesisVoiceGender: Int, Sendable { case unspecified, male, female }

public let AVSpeechSynthesisVoiceIdentifierAlex = "com.apple.speech.voice.Alex"

/// A voice of espeak-ng.
open class AVSpeechSynthesisVoice: NSObject, @unchecked Sendable {
    /// BCP 47.
    public let language: String
    public let identifier: String
    public let name: String
    public let gender: AVSpeechSynthesisVoiceGender
    public var quality: AVSpeechSynthesisVoiceQuality { .default }
    /// espeak-ng's name.
    let code: String

    private static let prefix = "org.espeak-ng."
    private static let known = Mutex<[AVSpeechSynthesisVoice]?>(nil)

    private init(code: String, language: String, name: String, gender: AVSpeechSynthesisVoiceGender) {
        (self.code, self.language, self.name, self.gender) = (code, language, name, gender)
        identifier = Self.prefix + code
    }

    /// The voice of a language; for a region without one, its language's. Nil where espeak-ng has none, or is not installed.
    public convenience init?(language languageCode: String?) {
        let wanted = (languageCode ?? Self.currentLanguageCode()).lowercased().replacingOccurrences(of: "_", with: "-")
        let base = wanted.split(separator: "-").first.map(String.init) ?? wanted
        let family = base == "zh" ? (wanted.contains("hk") ? "yue" : "cmn") : base == "no" ? "nb" : base
        let voices = Self.speechVoices()
        guard let voice = voices.first(where: { $0.code == wanted }) ?? voices.first(where: { $0.code == family })
                ?? voices.first(where: { $0.code.hasPrefix(family + "-") }) else { return nil }
        self.init(code: voice.code, language: languageCode ?? voice.language, name: voice.name, gender: voice.gender)
    }

    public convenience init?(identifier: String) {
        guard let voice = Self.speechVoices().first(where: { $0.identifier == identifier }) else { return nil }
        self.init(code: voice.code, language: voice.language, name: voice.name, gender: voice.gender)
    }

    open class func speechVoices() -> [AVSpeechSynthesisVoice] {
        known.withLock { known in
            if let known { return known }
            var output: [UInt8] = []
            guard SpeechHelper.run(["--voices"], input: [], output: { bytes in
                output += bytes
                return output.count < 1 << 20
            }) else { return [] }
            let voices = String(decoding: output, as: UTF8.self).split(separator: "\n").compactMap { line -> AVSpeechSynthesisVoice? in
                let parts = line.split(separator: "\t").map(String.init)
                guard parts.count == 3 else { return nil }
                return AVSpeechSynthesisVoice(code: parts[0], language: tag(parts[0]), name: parts[1], gender: .init(rawValue: Int(parts[2]) ?? 0) ?? .unspecified)
            }
            known = voices
            return voices
        }
    }

    /// The phone's language.
    open class func currentLanguageCode() -> String {
        let code = Locale.preferredLanguages.first ?? "en-US"
        return code.contains("-") ? code : code == "en" || code.isEmpty ? "en-US" : code
    }

    /// "en-gb" as BCP 47 writes it.
    private static func tag(_ code: String) -> String {
        let parts = code.split(separator: "-").map(String.init)
        return ([parts[0]] + parts.dropFirst().map { $0.count == 2 ? $0.uppercased() : $0 }).joined(separator: "-")
    }

    open override var description: String { "<AVSpeechSynthesisVoice: \(name), \(language)>" }
}

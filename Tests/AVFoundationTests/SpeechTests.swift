import AVFoundation
import Synchronization
import Testing

extension AVFoundationTests {
    final class SpeechListener: NSObject, AVSpeechSynthesizerDelegate, Sendable {
        let events = Mutex<[String]>([])
        private func add(_ text: String) { events.withLock { $0.append(text) } }

        func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didStart utterance: AVSpeechUtterance) { add("start \(utterance.speechString)") }
        func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didFinish utterance: AVSpeechUtterance) { add("finish \(utterance.speechString)") }
        func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didPause utterance: AVSpeechUtterance) { add("pause") }
        func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didContinue utterance: AVSpeechUtterance) { add("continue") }
        func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didCancel utterance: AVSpeechUtterance) { add("cancel \(utterance.speechString)") }
        func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, willSpeakRangeOfSpeechString characterRange: NSRange, utterance: AVSpeechUtterance) {
            add("word \((utterance.speechString as NSString).substring(with: characterRange))")
        }

        var all: [String] { events.withLock { $0 } }
        var words: [String] { all.filter { $0.hasPrefix("word ") }.map { String($0.dropFirst(5)) } }
    }

    private func speak(_ synthesizer: AVSpeechSynthesizer, _ listener: SpeechListener, until done: @escaping () -> Bool) async {
        for turn in 0..<9_000 where !done() {
            advance(0.01)
            await MainActor.run {}
            // The helper is another process: time here must not run away from it, for a minute if need be.
            try? await Task.sleep(for: turn < 3_000 ? .microseconds(200) : .milliseconds(10))
        }
    }

    @Test func utterancesAreSpokenInOrderWithTheirWords() async throws {
        let synthesizer = AVSpeechSynthesizer(), listener = SpeechListener()
        synthesizer.delegate = listener
        let first = AVSpeechUtterance(string: "In three hundred metres, turn left 🙂 into Mill Road."), second = AVSpeechUtterance(string: "Arrived.")
        let british = try #require(AVSpeechSynthesisVoice(language: "en-GB"))
        first.voice = british
        synthesizer.speak(first)
        synthesizer.speak(second)
        #expect(synthesizer.isSpeaking)
        await speak(synthesizer, listener) { listener.all.contains("finish Arrived.") }
        let seen = listener.all.filter { !$0.hasPrefix("word") }
        #expect(seen == ["start \(first.speechString)", "finish \(first.speechString)", "start Arrived.", "finish Arrived."])
        #expect(listener.words.starts(with: ["In", "three", "hundred"]) && listener.words.suffix(3) == ["Mill", "Road", "Arrived"], "\(listener.words)")
        #expect(!synthesizer.isSpeaking)
        advance(0.05)
        let stream = try #require(port.streams.first)
        let loud = stride(from: 0.0, to: Double(stream.samples.count / 2) / 48_000, by: 0.1).filter { stream.level($0..<$0 + 0.1) > 0.01 }.count
        #expect((20...70).contains(loud), "two to seven seconds of voice: \(loud)")
        #expect(port.streams.count == 1 && stream.isStopped, "one stream for both")
    }

    @Test func ratePauseAndStop() async throws {
        let synthesizer = AVSpeechSynthesizer(), listener = SpeechListener()
        synthesizer.delegate = listener
        let utterance = AVSpeechUtterance(string: "One two three four five six seven eight nine ten eleven twelve.")
        utterance.rate = 0.6
        synthesizer.speak(utterance)
        await speak(synthesizer, listener) { listener.words.count >= 3 }
        #expect(synthesizer.pauseSpeaking(at: .word))
        await speak(synthesizer, listener) { listener.all.contains("pause") }
        #expect(synthesizer.isPaused && synthesizer.isSpeaking)
        let words = listener.words.count
        advance(1)
        await MainActor.run {}
        #expect(listener.words.count == words)
        #expect(synthesizer.continueSpeaking())
        await speak(synthesizer, listener) { listener.words.count >= words + 2 }
        #expect(synthesizer.stopSpeaking(at: .immediate) && !synthesizer.isSpeaking)
        await Self.until { listener.all.last?.hasPrefix("cancel") == true }
        #expect(listener.all.contains("continue") && !listener.all.contains { $0.hasPrefix("finish") })
    }

    @Test func voices() {
        #expect(AVSpeechSynthesisVoice.speechVoices().count > 50)
        #expect(AVSpeechSynthesisVoice(language: "ru-RU")?.language == "ru-RU")
        #expect(AVSpeechSynthesisVoice(language: "zh-CN") != nil)
        #expect(AVSpeechSynthesisVoice(language: "tlh-XX") == nil)
        let english = AVSpeechSynthesisVoice(language: "en-US")
        #expect(english.flatMap { AVSpeechSynthesisVoice(identifier: $0.identifier) }?.name == english?.name)
    }
}

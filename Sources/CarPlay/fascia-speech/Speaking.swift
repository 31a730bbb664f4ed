import CEspeak
import Glibc

/// Starts espeak-ng without a sound device; nil, and said, when it has no voices.
private func start() -> Int32? {
    let rate = espeak_Initialize(AUDIO_OUTPUT_RETRIEVAL, 100, nil, 0x8000 /* never exit by itself */)
    guard rate > 0 else {
        SpeechFrame.failure.write("espeak-ng has no voice data: install espeak-ng-data")
        return nil
    }
    return rate
}

/// Reads one utterance and writes its sound, faster than it is spoken.
func speak() {
    let request = SpeechRequest(readAll())
    guard let rate = start() else { return }
    guard select(request.voice) else { return SpeechFrame.failure.write("there is no voice \(request.voice)") }
    espeak_SetParameter(espeakRATE, request.wordsPerMinute, 0)
    espeak_SetParameter(espeakPITCH, request.pitch, 0)
    SpeechFrame.rate.write([UInt32(rate)])
    espeak_SetSynthCallback { samples, count, events in received(samples, count, events) }
    let text = request.text.isEmpty ? [UInt8(0)] : request.text + [0]
    let result = espeak_Synth(text, text.count, 0, POS_CHARACTER, 0, UInt32(espeakCHARS_UTF8), nil, nil)
    espeak_Synchronize()
    if result == EE_OK { SpeechFrame.end.write([]) } else { SpeechFrame.failure.write("espeak-ng failed with \(result.rawValue)") }
}

/// By the voice's language, else by its name.
private func select(_ voice: String) -> Bool {
    voice.withCString { text in
        var properties = espeak_VOICE()
        properties.languages = text
        return espeak_SetVoiceByProperties(&properties) == EE_OK || espeak_SetVoiceByName(text) == EE_OK
    }
}

/// Called by espeak-ng for each piece of sound, with what begins in it. 0: go on, 1: stop.
private func received(_ samples: UnsafeMutablePointer<Int16>?, _ count: Int32, _ events: UnsafeMutablePointer<espeak_EVENT>?) -> Int32 {
    var next = events
    while let event = next?.pointee, event.type != espeakEVENT_LIST_TERMINATED {
        if event.type == espeakEVENT_WORD, event.text_position > 0, event.length > 0, event.audio_position >= 0 {
            SpeechFrame.word.write([UInt32(event.audio_position), UInt32(event.text_position - 1), UInt32(event.length)])
        }
        next = next?.advanced(by: 1)
    }
    guard let samples, count > 0 else { return 0 }
    return SpeechFrame.samples.write(UnsafeRawBufferPointer(start: samples, count: Int(count) * 2)) ? 0 : 1
}

func printVoices() {
    guard start() != nil, var voice = espeak_ListVoices(nil) else { return }
    while let entry = voice.pointee {
        // The languages are a list of priority byte and text; the first is the voice's own.
        if let languages = entry.pointee.languages, languages.pointee != 0, let name = entry.pointee.name {
            print(String(cString: languages + 1), String(cString: name), entry.pointee.gender, separator: "\t")
        }
        voice += 1
    }
}

private func readAll() -> [UInt8] {
    var bytes: [UInt8] = [], chunk = [UInt8](repeating: 0, count: 65_536)
    while bytes.count < 1 << 20 {
        let count = read(STDIN_FILENO, &chunk, chunk.count)
        if count > 0 { bytes += chunk.prefix(count) } else if count == 0 || errno != EINTR { break }
    }
    return bytes
}

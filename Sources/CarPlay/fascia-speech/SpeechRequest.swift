/// An utterance as it comes in.
struct SpeechRequest {
    var voice = "en-us"
    var wordsPerMinute: Int32 = 175
    /// 0 to 99.
    var pitch: Int32 = 50
    /// UTF-8.
    var text: [UInt8] = []

    init(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while let end = rest.firstIndex(of: 0x0A) {
            let line = rest[..<end]
            rest = rest[(end + 1)...]
            if line.isEmpty { break }
            let parts = String(decoding: line, as: UTF8.self).split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            let value = String(parts[1].drop { $0 == " " })
            switch parts[0] {
            case "voice": voice = value
            case "rate": wordsPerMinute = Int32(value).map { max(80, min(450, $0)) } ?? wordsPerMinute
            case "pitch": pitch = Int32(value).map { max(0, min(99, $0)) } ?? pitch
            default: break
            }
        }
        text = rest.filter { $0 != 0 }
    }
}

/// Cuts what fascia-speech writes into frames (Sources/CarPlay/fascia-speech/SpeechFrames.swift).
struct SpeechFrameParser {
    enum Frame: Equatable {
        case rate(Int)
        case samples([Float])
        /// Milliseconds from the start; characters of the text.
        case word(milliseconds: Int, first: Int, count: Int)
        case end
        case failure(String)
    }

    /// Bytes of one frame at most.
    private static let limit = 1 << 20

    private var buffer: [UInt8] = []
    /// What came is not the helper's; nothing more is made of it.
    private(set) var isBroken = false

    mutating func add(_ bytes: UnsafeRawBufferPointer) -> [Frame] {
        guard !isBroken else { return [] }
        buffer += bytes
        var frames: [Frame] = [], start = 0
        while buffer.count - start >= 5 {
            let length = number(start + 1)
            guard length <= Self.limit else {
                isBroken = true
                return frames
            }
            guard buffer.count - start >= 5 + length else { break }
            if let frame = frame(buffer[start], start + 5, length) { frames.append(frame) }
            start += 5 + length
        }
        buffer.removeFirst(start)
        return frames
    }

    private func number(_ index: Int) -> Int {
        (0..<4).reduce(0) { $0 | Int(buffer[index + $1]) << (8 * $1) }
    }

    private func frame(_ kind: UInt8, _ start: Int, _ length: Int) -> Frame? {
        switch kind {
        case UInt8(ascii: "R") where length == 4: .rate(number(start))
        case UInt8(ascii: "P"):
            .samples(stride(from: start, to: start + length - 1, by: 2).map { index in
                Float(Int16(truncatingIfNeeded: Int(buffer[index]) | Int(buffer[index + 1]) << 8)) / 32_768
            })
        case UInt8(ascii: "W") where length == 12: .word(milliseconds: number(start), first: number(start + 4), count: number(start + 8))
        case UInt8(ascii: "E"): .end
        case UInt8(ascii: "X"): .failure(String(decoding: buffer[start..<start + length], as: UTF8.self))
        default: nil
        }
    }
}

import Glibc

/// What leaves the program: kind (1 byte), length of what follows (4 bytes, little-endian), content.
///
/// ```
///  R  sampling rate (4 bytes)
///  P  mono S16LE
///  W  a word begins: milliseconds from the start, first character of the text, characters (4 bytes each)
///  E  the end, empty
///  X  it cannot speak: why, for people
/// ```
enum SpeechFrame: UInt8 {
    case rate = 0x52
    case samples = 0x50
    case word = 0x57
    case end = 0x45
    case failure = 0x58

    /// - Returns: false when nobody reads any more.
    @discardableResult
    func write(_ content: UnsafeRawBufferPointer) -> Bool {
        var bytes = [rawValue]
        append(UInt32(content.count), to: &bytes)
        bytes += content
        var offset = 0
        while offset < bytes.count {
            let written = bytes.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress?.advanced(by: offset), bytes.count - offset) }
            if written < 0, errno == EINTR { continue }
            if written <= 0 { return false }
            offset += written
        }
        return true
    }

    func write(_ numbers: [UInt32]) {
        var bytes: [UInt8] = []
        for number in numbers { append(number, to: &bytes) }
        _ = bytes.withUnsafeBytes { write($0) }
    }

    func write(_ text: String) { _ = Array(text.utf8).withUnsafeBytes { write($0) } }
}

private func append(_ number: UInt32, to bytes: inout [UInt8]) {
    for shift in stride(from: UInt32(0), to: 32, by: 8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
}

import FasciaSoundFile
import FuzzCore

/// Input: where to (1 byte), then a file.
@Sendable func checkSoundFile(_ input: [UInt8]) -> String? {
    guard let first = input.first, let reader = try? SoundFileReader(bytes: Array(input.dropFirst())) else { return nil }
    guard (1...64).contains(reader.channels), (1_000...768_000).contains(reader.sampleRate), reader.frames >= 0 else { return "a file of \(reader.channels) channels at \(reader.sampleRate) Hz" }
    var samples = [Float](repeating: 0, count: 1_024 * reader.channels)
    func read() -> Int {
        samples.withUnsafeMutableBufferPointer { buffer in buffer.baseAddress.map { reader.read(into: $0, frames: 1_024) } ?? 0 }
    }
    // A file may say that it is long; nobody plays more of it here than some seconds.
    for _ in 0..<64 {
        let count = read()
        if count > 1_024 { return "\(count) frames were read into room for 1,024" }
        if count == 0 { break }
    }
    reader.seek(to: Int64(first) * 100)
    return read() <= 1_024 ? nil : "too much was read"
}

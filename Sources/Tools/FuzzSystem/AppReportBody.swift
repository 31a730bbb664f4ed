import FasciaAppHost
import FuzzCore

/// Input: what (1 byte): the bytes an app writes into the pipe of backtraces, or a line of /proc with the name it gave a thread.
@Sendable func checkAppReport(_ input: [UInt8]) -> String? {
    guard let first = input.first else { return nil }
    var bytes = Array(input.dropFirst())
    if first & 1 == 1 {
        let status = ThreadStatus(stat: String(decoding: bytes, as: UTF8.self))
        return status?.name.unicodeScalars.contains { $0.properties.generalCategory == .control } == true ? "a control character in a thread's name" : nil
    }
    while let (record, length) = BacktracePipe.parse(bytes) {
        if length <= 0 || length > bytes.count { return "\(length) of \(bytes.count) bytes are a record" }
        guard let record else { return nil }
        if record.counters.count * 8 > BacktracePipe.recordLimit || length < record.counters.count * 8 { return "\(record.counters.count) addresses in \(length) bytes" }
        bytes.removeFirst(length)
    }
    return bytes.count < BacktracePipe.recordLimit ? nil : "\(bytes.count) bytes wait for the end of a record"
}

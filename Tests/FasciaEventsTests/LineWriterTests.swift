@testable import FasciaEvents
import Foundation
import Synchronization
import Testing

/// Nobody reads, or reads late.
@Suite(.timeLimit(.minutes(1))) struct LineWriterTests {
    private func pair(socket: Bool) -> (reader: Int32, writer: Int32) {
        var ends: [Int32] = [-1, -1]
        _ = socket ? socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) : pipe(&ends)
        return (ends[0], ends[1])
    }

    /// Reads lines up to one that begins with `last`.
    private func lines(_ descriptor: Int32, until last: String) -> [Substring] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            bytes += buffer[0 ..< count]
            let end = String(decoding: bytes.suffix(100), as: UTF8.self)
            if end.hasSuffix("\n"), end.split(separator: "\n").last?.hasPrefix(last) == true { break }
        }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    }

    @Test(arguments: [(false, false), (false, true), (true, false), (true, true)])
    func aReaderThatDoesNotReadHoldsUpNobody(_ socket: Bool, _ owned: Bool) {
        let (reader, descriptor) = pair(socket: socket)
        let flags = fcntl(descriptor, F_GETFL)
        let writer = LineWriter(descriptor: descriptor, owned: owned) { "left out \($0)" }
        let line = String(repeating: "x", count: 999)
        for number in 0..<3_000 { #expect(writer.write("\(number) \(line)") == nil) } // returns: that is the test
        if !owned { #expect(fcntl(descriptor, F_GETFL) == flags, "the description is others' too") }
        let lines = self.lines(reader, until: "left out")
        let kept = lines.dropLast().compactMap { $0.split(separator: " ").first.flatMap { Int($0) } }
        #expect(kept == Array(0 ..< kept.count))
        #expect(kept.count > LineWriter.limit / 1_005)
        #expect(lines.last == "left out \(3_000 - kept.count)")
        writer.write("after")
        #expect(self.lines(reader, until: "after").last == "after")
        close(reader)
        if !owned { close(descriptor) }
    }

    @Test func aPipeThatNobodyHasOpenedHoldsUpNobody() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("pipe-\(UUID().uuidString)").path
        defer { unlink(path) }
        #expect(mkfifo(path, 0o600) == 0)
        let lost = Mutex(0)
        let narrated = Mutex<[String]>([])
        let log = try EventLog(path: path, narrate: { line in narrated.withLock { $0.append(line) } }) // returns: that is the test
        for number in 0..<5 { log.emit("e\(number)", narrated: false) }
        let reader = open(path, O_RDONLY)
        defer { close(reader) }
        #expect(lines(reader, until: "{\"event\":\"e4\"").compactMap { EventRecord(line: $0)?.event } == (0..<5).map { "e\($0)" })

        let other = path + "-2"
        defer { unlink(other) }
        #expect(mkfifo(other, 0o600) == 0)
        let writer = LineWriter(pipe: other, leftOutLine: { "\($0)" }, abandoned: { count in lost.withLock { $0 = count } })
        for _ in 0..<2_000 { writer.write(String(repeating: "x", count: 999)) }
        writer.drain(until: .now)
        #expect(lost.withLock { $0 } == 2_000)
        #expect(narrated.withLock { $0 } == [])
    }

    @Test func aReaderThatWentAwayIsAnError() {
        signal(SIGPIPE, SIG_IGN)
        let (reader, descriptor) = pair(socket: false)
        let writer = LineWriter(descriptor: descriptor, owned: true) { "\($0)" }
        close(reader)
        #expect(writer.write("x") == EPIPE)
    }
}

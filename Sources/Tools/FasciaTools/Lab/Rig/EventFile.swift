import FasciaEvents
import Foundation

/// The event file of a program that runs, read as far as it is written.
final class EventFile {
    let path: String
    private var offset: UInt64 = 0
    private var rest = Data()
    private(set) var records: [EventRecord] = []

    init(_ path: String) { self.path = path }

    /// Adds what is new.
    func read() {
        guard let file = FileHandle(forReadingAtPath: path) else { return }
        defer { try? file.close() }
        guard (try? file.seek(toOffset: offset)) != nil, let data = try? file.readToEnd() else { return }
        offset += UInt64(data.count)
        let whole = rest + data
        let end = whole.lastIndex(of: UInt8(ascii: "\n")).map { whole.index(after: $0) } ?? whole.startIndex
        records += whole[..<end].split(separator: UInt8(ascii: "\n")).compactMap { EventRecord(line: String(decoding: $0, as: UTF8.self)) }
        rest = Data(whole[end...])
    }

    func count(_ event: String, from start: UInt64 = 0) -> Int { records.count { $0.event == event && $0.time >= start } }

    /// Times of an event, ascending.
    func times(_ event: String, from start: UInt64 = 0) -> [UInt64] {
        records.filter { $0.event == event && $0.time >= start }.map(\.time).sorted()
    }
}

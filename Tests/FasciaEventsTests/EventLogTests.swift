@testable import FasciaEvents
import Foundation
import Synchronization
import Testing

@Suite struct EventLogTests {
    private func temporaryFile() -> String {
        FileManager.default.temporaryDirectory.appendingPathComponent("events-\(UUID().uuidString)").path
    }

    @Test func bytesAreTwoDigitsEach() {
        #expect(EventValue.hex([0, 9, 0x0A, 0xFF] as [UInt8]) == .string("00090aff"))
    }

    @Test func everyLineIsAnObjectWithNameAndTime() throws {
        let path = temporaryFile()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let log = try EventLog(path: path, narrate: { _ in })
        log.emit("connected", ["reason": "dialled \"car\"\n/2", "evidence": ["tcp", "tls"], "rtt_ms": 1.5, "resumed": false])
        log.emit("disconnected")
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        let records = lines.compactMap { EventRecord(line: $0) }
        #expect(records.map(\.event) == ["connected", "disconnected"])
        #expect(records[0]["reason"] == "dialled \"car\"\n/2")
        #expect(records[0]["evidence"] == ["tcp", "tls"])
        #expect(records[0]["resumed"] == false)
        #expect(records[0].time <= records[1].time)
        #expect(lines[1].hasPrefix("{\"event\":\"disconnected\",\"t_ns\":"))
    }

    @Test func threadsDoNotMixTheirLines() async throws {
        let path = temporaryFile()
        defer { try? FileManager.default.removeItem(atPath: path) }
        let log = try EventLog(path: path, narrate: { _ in })
        await withTaskGroup { group in
            for task in 0..<8 {
                group.addTask { for n in 0..<100 { log.emit("tick", ["task": .integer(Int64(task)), "n": .integer(Int64(n))]) } }
            }
        }
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
        #expect(lines.count == 800)
        #expect(lines.allSatisfy { EventRecord(line: $0) != nil })
    }

    @Test func aFullDiskIsReportedOnceAndGoesOn() throws {
        let said = Mutex<[String]>([])
        let log = try EventLog(path: "/dev/full", narrate: { line in said.withLock { $0.append(line) } })
        log.emit("one")
        log.emit("two")
        let lines = said.withLock { $0 }
        #expect(lines.count == 3)
        #expect(lines[0].contains("/dev/full") && lines[0].contains("No space left"))
        #expect(lines[1...] == ["one", "two"])
    }

    @Test func aMissingDirectoryIsAClearError() {
        #expect { try EventLog(path: "/nowhere/at/all/events") } throws: { "\($0)".contains("/nowhere/at/all/events") && "\($0)".contains("--events") }
    }

    @Test(arguments: ["", "{", #"{"event":"","t_ns":0}"#, "[]", "{\"event\":1,\"t_ns\":2}", "{\"event\":\"x\"}", "{\"event\":\"x\",\"t_ns\":-1}"])
    func linesThatAreNoEventsAreNil(line: String) { #expect(EventRecord(line: line) == nil) }

    @Test(arguments: [
        "plain", "", "quotes \" and \\ and / stay", "line\nfeed\ttab\rreturn", "\u{0}\u{1}\u{1f}\u{7f}", "\u{1F698} 車 e\u{301}", "\u{2028}",
    ] as [EventValue] + [
        .integer(.min), .integer(.max), .number(0.1), .number(-1e300), .number(.leastNonzeroMagnitude), .bool(true), .null, [], [1, ["a": [.null, 1.5]]],
        ["b": 1, "a": ["z": false, "\"": "\n"]], .object([:]),
    ])
    func everyValueIsReadAsItWasWritten(value: EventValue) throws {
        let record = EventRecord(event: "odd \"name\"\n", time: 7, fields: ["v": value, "a": 1, "z": 2])
        #expect(EventRecord(line: record.line) == record)
        #expect(!record.line.contains("\n"))
        #expect(record.line.hasSuffix("\"z\":2}") && record.line.contains("\"t_ns\":7,\"a\":1,\"v\":"))
    }

    @Test func numbersThatJSONCannotSayAreNull() {
        #expect(EventRecord(event: "x", time: 1, fields: ["v": .number(.nan)]).line == #"{"event":"x","t_ns":1,"v":null}"#)
    }
}

@Suite struct DeferredEventLogTests {
    @Test func deferredLinesComeInOrderAndHaveTheTimeOfTheEvent() async throws {
        let (lines, said) = AsyncStream.makeStream(of: String.self)
        let log = try EventLog(path: nil, narrate: { said.yield($0) }, isDeferred: true)
        let before = MonotonicClock.now()
        let records = (0..<100).map { log.emit("e\($0)") }
        #expect(records.allSatisfy { $0.time >= before } && records.map(\.time) == records.map(\.time).sorted())
        var seen: [String] = []
        for await line in lines {
            seen.append(line)
            if seen.count == 100 { break }
        }
        #expect(seen == (0..<100).map { "e\($0)" })
    }

    /// Whoever emits goes on while the thread that writes is stuck, as it is on a disk that has stalled; what was left out is counted.
    @Test func aStalledWriterHoldsUpNobody() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("events-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let stuck = DispatchSemaphore(value: 0), goOn = DispatchSemaphore(value: 0), last = DispatchSemaphore(value: 0)
        let log = try EventLog(path: path, narrate: { line in
            if line == "stall" { stuck.signal(); goOn.wait() }
            if line == "last" { last.signal() }
        }, isDeferred: true)
        log.emit("stall")
        stuck.wait()
        for number in 0 ..< EventLog.mostPending + 100 { log.emit("e\(number)", narrated: false) } // returns: that is the test
        goOn.signal()
        while (try String(contentsOfFile: path, encoding: .utf8)).contains("events-left-out") == false { usleep(1_000) }
        log.emit("last")
        last.wait()
        let records = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").compactMap { EventRecord(line: $0) }
        #expect(records.map(\.event) == ["stall"] + (0 ..< EventLog.mostPending).map { "e\($0)" } + ["events-left-out", "last"])
        #expect(records.dropLast().last?["count"] == 100)
    }
}

@testable import FasciaAppHost
import Foundation
import Testing

/// What a report is made of; /proc and the app's bytes as they may be.
struct ReportPartTests {
    private func record(_ value: UInt32, _ thread: UInt32, _ counters: [UInt64], magic: UInt32 = 0x4642_5431, count: UInt32? = nil) -> [UInt8] {
        let words = [magic, value, thread, count ?? UInt32(counters.count)].flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
        return words + counters.flatMap { counter in (0..<8).map { UInt8(truncatingIfNeeded: counter >> (8 * UInt64($0))) } }
    }

    @Test func recordsAreReadWhole() throws {
        let bytes = record(7, 7, [0x1122_3344_5566_7788, 2])
        for length in bytes.indices { #expect(BacktracePipe.parse(Array(bytes.prefix(length))) == nil) }
        let (parsed, length) = try #require(BacktracePipe.parse(bytes + [1, 2, 3]))
        #expect(parsed == .init(value: 7, thread: 7, counters: [0x1122_3344_5566_7788, 2]))
        #expect(length == bytes.count)
    }

    @Test(arguments: [UInt32.max, 511, 1 << 29])
    func aRecordThatClaimsTooMuchIsNone(_ count: UInt32) throws {
        let parsed = try #require(BacktracePipe.parse(record(1, 1, [1], count: count)))
        #expect(parsed.record == nil)
    }

    @Test func otherBytesAreNoRecord() throws {
        #expect(try #require(BacktracePipe.parse(record(1, 1, [], magic: 1))).record == nil)
        #expect(try #require(BacktracePipe.parse([UInt8](repeating: 0xff, count: 16))).record == nil)
    }

    @Test func imagesComeFromMappingsWithCode() {
        let maps = """
            1000-2000 r--p 00000000 fe:00 12     /usr/lib/a b.so
            2000-3000 r-xp 00001000 fe:00 12     /usr/lib/a b.so
            3000-4000 rw-p 00002000 fe:00 12     /usr/lib/a b.so
            5000-6000 r--p 00000000 fe:00 13     /usr/share/data
            7000-8000 r-xp 00001000 fe:00 14     /no/base
            9000-a000 r-xp 00000000 00:00 0      [vdso]
            b000-c000 rw-p 00000000 00:00 0
            garbage
            ffffffffffffffffff-0 r-xp 0 0 0 /x
            """
        #expect(MemoryMap.images(maps: maps) == [LoadedImage(path: "/usr/lib/a b.so", base: 0x1000, end: 0x3000)])
    }

    @Test func aThreadsNameMayHoldAnything() throws {
        let status = try #require(ThreadStatus(stat: "12 (a) S (b)\u{1b}) R 1 2 3 4 5 6 7 8 9 10 200 100 0 0"))
        #expect(status.name == "a) S (b)?")
        #expect(status.state == "R")
        #expect(status.user == 2_000 && status.system == 1_000, "at 100 ticks a second")
        for broken in ["", "12", "12 (a", ") (", "12 (a) R 1 2"] { #expect(ThreadStatus(stat: broken) == nil) }
    }

    @Test func masksAreReadByName() {
        let status = "Name:\tx\nSigBlk:\t0000000004000000\nSigCgt:\t0000000000000001\n"
        #expect(ProcFile.contains(ProcFile.mask("SigBlk", in: status), signal: SIGPROF))
        #expect(!ProcFile.contains(ProcFile.mask("SigCgt", in: status), signal: SIGPROF))
        #expect(ProcFile.mask("SigIgn", in: status) == nil)
    }

    @Test func jsonAndBack() throws {
        var report = WatchdogReport(
            time: "2026-01-01T00:00:00Z", app: .init(id: "a", name: "b", executable: "/c", pid: 4), phase: .sceneDisconnect, budgetMs: 5_000, elapsedMs: 5_012,
            cpu: .init(userMs: 1_050, systemMs: 20, sinceWarningMs: 2_512))
        report.threads = [ThreadReport(
            id: 4, name: "b", isMain: true, state: "R", cpuMs: 1_070, backtrace: [StackFrame(address: .max, image: "/c", offset: 16, symbol: "f()", symbolOffset: 3, file: "/x/y.swift", line: 9)])]
        #expect(try WatchdogReport(json: report.json()) == report)
        let text = report.text
        #expect(text.contains("Reason:       scene-disconnect exhausted its 5.000 s of real time (took 5.012 s)"))
        #expect(text.contains("100 % of one processor since half of the time was over"))
        #expect(text.contains("0   c 0xffffffffffffffff f() + 3 (y.swift:9)"))
        #expect(throws: (any Error).self) { try WatchdogReport(json: Data("{}".utf8)) }
    }
}

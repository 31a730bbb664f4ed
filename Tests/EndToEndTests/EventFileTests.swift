import FasciaProcesses
import Foundation
import Testing

extension EndToEnd {
    @Suite struct EventFileTests {
        /// Event files that are pipes without a reader hold up neither start, link nor screen, and are told of at the end.
        @Test func nobodyReadsTheEvents() async throws {
            let bench = try TestBench()
            for file in ["car.jsonl", "phone.jsonl"] { #expect(mkfifo(bench.path(file), 0o600) == 0) }
            try await bench.openAppDirectly()
            try await bench.console(each: "tap Browse", "wait Moods 30", "link reset", "wait Moods 30")
            let headUnit = try #require(bench.headUnit), phone = try #require(bench.phone)
            for program in [phone, headUnit] {
                program.signal(SIGTERM)
                #expect(try await program.exitStatus() == 0)
                #expect(program.transcript.contains("nobody read them"), "\(program.transcript)")
            }
        }
    }
}

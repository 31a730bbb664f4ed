import FasciaProcesses
import Foundation
import Testing

/// `fascia bench reconnect` does what it says to real processes; the figures of a debug build do not matter.
extension EndToEnd {
    @Suite struct ReconnectBenchTests {
        private struct Report: Decodable {
            var runs, failures: Int
            var fault, mode: String
            var phases: [String: [String: Double]]
            var first_frame_ms: [String: Double]
            var floor_ms: [String: Double]
            var outcomes: [String: Int]
        }

        /// - Returns: a report for each length of a cut, and everything that was said.
        private func bench(_ arguments: [String]) async throws -> (reports: [Report], said: String) {
            let process = try await ChildProgram(TestBench.program("fascia"), ["bench", "reconnect", "--json", "-"] + arguments)
            #expect(try await process.exitStatus(within: .seconds(600)) == 0, "\(process.transcript)")
            let lines = process.transcript.split(separator: "\n").filter { $0.hasPrefix("{") }
            return (try lines.map { try JSONDecoder().decode(Report.self, from: Data($0.utf8)) }, process.transcript)
        }

        @Test(arguments: [
            ("goodbye", "full", "connected"), ("reset", "ticket", "resumed"), ("reset", "early-data", "resumed"), ("kill-headunit", "early-data", "connected"),
            ("kill-phone", "early-data", "connected"), ("restart", "early-data", "connected"), ("blackhole", "early-data", "resumed"),
            ("publish", "early-data", "connected"),
        ])
        func faultsAreRecoveredFrom(fault: String, mode: String, outcome: String) async throws {
            let (reports, said) = try await bench(["--fault", fault, "--mode", mode, "--runs", "2"])
            let report = try #require(reports.first, "\(said)")
            #expect(report.runs == 2 && report.failures == 0 && report.fault == fault && report.mode == mode, "\(said)")
            #expect(report.outcomes == [outcome: 2], "\(said)")
            #expect((report.first_frame_ms["p50"] ?? 0) > 0 && (report.floor_ms["p50"] ?? 0) > 0)
            #expect(Set(report.phases.keys).isSuperset(of: ["detect", "discover", "tcp", "tls", "resume", "first_frame"]))
        }

        @Test func cutsOfSeveralLengths() async throws {
            let (reports, said) = try await bench(["--fault", "cut", "--cut", "0.1,0.3", "--runs", "2"])
            #expect(reports.count == 2 && reports.allSatisfy { $0.failures == 0 }, "\(said)")
        }
    }
}

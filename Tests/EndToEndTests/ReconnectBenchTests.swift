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

        private func bench(_ arguments: [String]) async throws -> [Report] {
            let process = try await ChildProgram(TestBench.program("fascia"), ["bench", "reconnect", "--json", "-"] + arguments, errors: .file("/dev/null"))
            #expect(try await process.exitStatus(within: .seconds(120)) == 0, "\(process.transcript)")
            return try process.transcript.split(separator: "\n").filter { $0.hasPrefix("{") }.map { try JSONDecoder().decode(Report.self, from: Data($0.utf8)) }
        }

        @Test(arguments: [
            ("goodbye", "full", "connected"), ("reset", "ticket", "resumed"), ("reset", "early-data", "resumed"), ("kill-headunit", "early-data", "connected"),
            ("kill-phone", "early-data", "connected"), ("restart", "early-data", "connected"), ("blackhole", "early-data", "resumed"),
            ("publish", "early-data", "connected"),
        ])
        func faultsAreRecoveredFrom(fault: String, mode: String, outcome: String) async throws {
            let report = try #require(try await bench(["--fault", fault, "--mode", mode, "--runs", "2"]).first)
            #expect(report.runs == 2 && report.failures == 0 && report.fault == fault && report.mode == mode)
            #expect(report.outcomes == [outcome: 2])
            #expect((report.first_frame_ms["p50"] ?? 0) > 0 && (report.floor_ms["p50"] ?? 0) > 0)
            #expect(Set(report.phases.keys).isSuperset(of: ["detect", "discover", "tcp", "tls", "resume", "first_frame"]))
        }

        @Test func cutsOfSeveralLengths() async throws {
            let reports = try await bench(["--fault", "cut", "--cut", "0.1,0.3", "--runs", "2"])
            #expect(reports.count == 2 && reports.allSatisfy { $0.failures == 0 })
        }
    }
}

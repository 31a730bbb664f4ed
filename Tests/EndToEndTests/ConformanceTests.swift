import FasciaProcesses
import Foundation
import Testing

/// Both endpoints against the whole specification, and against peers that do not care for it.
extension EndToEnd {
    @Suite struct ConformanceTests {
        /// Hundreds of cases, each on connections of its own: minutes on a fast machine.
        private static let patience = Duration.seconds(1_200)

        @Test func theHeadUnitConforms() async throws {
            let bench = try TestBench()
            try await bench.startHeadUnitDirectly(["--mic", try bench.makeTone("spoken.wav", hertz: 440, amplitude: 0.3)])
            let suite = try await ChildProgram(TestBench.program("fascia"), ["conform", bench.address, "--role", "headunit", "--code", TestBench.code])
            let status = try await suite.exitStatus(within: Self.patience)
            #expect(status == 0, "\(Self.failures(suite.transcript))")
            #expect(bench.headUnit?.status == nil, "the head unit ended")
        }

        @Test func thePhoneConforms() async throws {
            let bench = try TestBench()
            let suite = try await ChildProgram(TestBench.program("fascia"), ["conform", "127.0.0.1:7813", "--role", "phone", "--code", TestBench.code])
            // A phone whose car has another key asks to pair, and ends when that comes to nothing: someone starts it again.
            let arguments = ["run", "--connect", "127.0.0.1:7813", "--code", TestBench.code, "--state-dir", bench.path("phone"), "--app", TestBench.program("RubberSoul")]
            let phone = try await ChildProgram("/bin/bash", ["-c", "while \"$0\" \"$@\"; [ $? -lt 128 ]; do sleep 0.1; done", TestBench.program("fascia-phone")] + arguments)
            defer { kill(-phone.pid, SIGKILL) } // the shell and what it runs: a group of their own
            let status = try await suite.exitStatus(within: Self.patience)
            #expect(status == 0, "\(Self.failures(suite.transcript))")
            #expect(phone.status == nil, "the phone crashed: \(phone.transcript.suffix(2_000))")
        }

        @Test(arguments: ["headunit", "phone"])
        func attacksAreSurvivedWithinTheMemoryBound(target: String) async throws {
            let attack = try await ChildProgram(TestBench.program("fascia"), ["attack", "--local", "--role", target, "--seconds", "0.3", "--json"])
            _ = try await attack.exitStatus(within: Self.patience) // its status is about latencies as well, which a busy machine spoils
            let line = try #require(attack.transcript.split(separator: "\n").last { $0.hasPrefix("{") }, "\(attack.transcript)")
            let report = try JSONDecoder().decode(Report.self, from: Data(line.utf8))
            for result in report.alone + report.served.map(\.attack) {
                #expect(result.survived, "\(result.name)")
                #expect((result.resident_peak ?? 0) <= report.bound_bytes, "\(result.name): \(result.resident_peak ?? 0) bytes")
            }
            #expect(report.alone.count > 10)
        }

        private struct Report: Decodable {
            struct Result: Decodable { let name: String; let survived: Bool; let resident_peak: Int? }
            struct Served: Decodable { let attack: Result }
            let bound_bytes: Int
            let alone: [Result]
            let served: [Served]
        }

        private static func failures(_ transcript: String) -> String {
            let lines = transcript.split(separator: "\n", omittingEmptySubsequences: false)
            return lines.indices.filter { lines[$0].hasPrefix("FAIL") }.map { lines[$0...min($0 + 1, lines.count - 1)].joined(separator: "\n") }.joined(separator: "\n")
                + "\n\(lines.last ?? "")"
        }
    }
}

import FasciaProcesses
import Foundation
import Testing

extension EndToEnd {
    /// The short form of the campaign of the README.
    @Test(.timeLimit(.minutes(5))) func fortyFaultsDoNoHarm() async throws {
        let keep = FileManager.default.temporaryDirectory.appendingPathComponent("fascia-chaos-\(UUID())").path
        defer { for path in [keep, keep + ".json"] { try? FileManager.default.removeItem(atPath: path) } }
        let result = try await SystemCommand.run("env", [TestBench.program("fascia"), "chaos", "--cycles", "40", "--seed", "20", "--bound", "20", "--json", keep + ".json", "--keep", keep])
        struct Report: Decodable {
            var cycles: Int
            var violations: Int
        }
        let report = try JSONDecoder().decode(Report.self, from: Data(contentsOf: URL(fileURLWithPath: keep + ".json")))
        #expect(report.violations == 0, "\(result.output)")
        #expect(report.cycles == 40)
        #expect(result.status == 0)
    }

    /// A campaign that somebody ended is not taken for one that went through.
    @Test(.timeLimit(.minutes(2))) func aCampaignThatWasEndedSaysWhatIsMissing() async throws {
        let result = try await SystemCommand.run("timeout", ["-s", "TERM", "--preserve-status", "1", TestBench.program("fascia"), "chaos", "--cycles", "5000", "--seed", "20", "--bound", "20"])
        #expect(result.status == 143, "\(result.output)")
        #expect(result.output.contains("of 5000 cycles are in this table"))
    }
}

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
        let campaign = try await ChildProgram(TestBench.program("fascia"), ["chaos", "--cycles", "5000", "--seed", "20", "--bound", "20", "--verbose"])
        _ = try await campaign.line(within: .seconds(60)) { _ in true } // it is under way, and knows what to do with a signal
        campaign.signal(SIGTERM)
        let status = try await campaign.exitStatus(within: .seconds(30))
        #expect(status == 143, "\(campaign.transcript)")
        #expect(campaign.transcript.contains("of 5000 cycles are in this table"))
    }
}

import FasciaEvents
@testable import FasciaTools
import Foundation
import Testing

@Suite struct ReconnectTests {
    /// An event of a phone at so many microseconds.
    private func event(_ name: String, _ time: UInt64, _ fields: [String: EventValue] = [:]) -> EventRecord {
        EventRecord(event: name, time: time * 1_000, fields: fields)
    }

    private func milestones(_ phone: [EventRecord], linkBack: UInt64, presented: UInt64) throws -> Milestones {
        let session = try #require(phone.first { $0.event == "resumed" || $0.event == "connected" })
        return try #require(Milestones(fault: 1_000_000, detected: 1_400_000, linkBack: linkBack * 1_000, session: session, presented: presented * 1_000, phone: phone))
    }

    @Test func phasesAddUpToTheWhole() throws {
        let phone = [event("connecting", 2_010), event("tcp", 2_110), event("secured", 2_810, ["ticket": true]), event("resumed", 3_000)]
        let found = try milestones(phone, linkBack: 2_000, presented: 3_500)
        #expect(found.phases == [.detect: 400_000, .discover: 10_000, .tcp: 100_000, .tls: 700_000, .resume: 190_000, .firstFrame: 500_000])
        #expect(found.total == 1_500_000)
        #expect(found.phases.filter { $0.key != .detect }.values.reduce(0, +) == found.total)
    }

    @Test func whatHappensBeforeTheLinkIsBackCostsNothing() throws {
        let phone = [event("connecting", 1_500), event("tcp", 2_050), event("secured", 2_500), event("connected", 2_600)]
        let found = try milestones(phone, linkBack: 2_000, presented: 2_900)
        #expect(found.phases[.discover] == 0 && found.phases[.tcp] == 50_000)
        #expect(found.phases.filter { $0.key != .detect }.values.reduce(0, +) == found.total)
    }

    @Test func withEarlyDataTheFrameIsThereBeforeThePhoneKnows() throws {
        let phone = [event("connecting", 2_000), event("tcp", 2_100), event("secured", 3_000, ["ticket": true, "early_data": "accepted"]), event("resumed", 3_100)]
        let found = try milestones(phone, linkBack: 2_000, presented: 2_800)
        #expect(found.phases[.tls] == 700_000 && found.phases[.resume] == 0 && found.phases[.firstFrame] == 0)
        #expect(found.total == 800_000)
    }

    @Test func theConnectionThatWonCounts() throws {
        let phone = [
            event("connecting", 1_000), event("tcp", 1_100), event("connecting", 2_000), event("tcp", 2_200), event("secured", 2_300), event("resumed", 2_400),
            event("connecting", 2_500),
        ]
        let found = try milestones(phone, linkBack: 1_900, presented: 2_500)
        #expect(found.connecting == 2_000_000 && found.tcp == 2_200_000)
        #expect(Milestones(fault: 0, detected: 0, linkBack: 0, session: event("resumed", 50), presented: 60_000, phone: phone) == nil)
    }

    @Test(arguments: [
        (["ticket": false], HandshakeMode.full), (["ticket": true], .ticket), (["ticket": true, "early_data": "accepted"], .earlyData),
        (["ticket": true, "early_data": "rejected"], .ticket), (["ticket": true, "early_data": "none"], .ticket),
    ] as [([String: EventValue], HandshakeMode)])
    func handshakesAreTold(fields: [String: EventValue], mode: HandshakeMode) {
        let phone = [event("secured", 10, fields), event("resumed", 20)]
        #expect(Milestones.handshake(of: phone[1], phone: phone) == mode)
    }

    private func result(_ firstFrames: [UInt64], _ floors: [UInt64]) -> ReconnectResult {
        let report = ReconnectReport(
            runs: firstFrames.count, mode: .earlyData, fault: .reset, rttMilliseconds: 0, lossPercent: 0, firstFrame: Percentiles(nanoseconds: firstFrames),
            phases: Percentiles(nanoseconds: firstFrames).map { ["tcp": $0] } ?? [:], floor: Percentiles(nanoseconds: floors).map { .init(p50: $0.p50, p99: $0.p99) },
            failures: 0, handshakes: ["early-data": 2], outcomes: ["resumed": 2], linkBack: ReconnectFault.reset.linkBack)
        return ReconnectResult(report: report, firstFrames: firstFrames, floors: floors)
    }

    @Test func theReportHasTheAgreedShape() throws {
        let line = try Output.jsonLine(result([1_000_000, 1_500_000], [500_000, 500_000]).report)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        for key in ["runs", "mode", "fault", "rtt_ms", "first_frame_ms", "phases", "floor_ms", "ratio_p50", "ratio_p99", "failures"] {
            #expect(object[key] != nil, "\(key)")
        }
        #expect(Set((object["first_frame_ms"] as? [String: Any] ?? [:]).keys) == ["p50", "p90", "p99", "max"])
        #expect(Set((object["floor_ms"] as? [String: Any] ?? [:]).keys) == ["p50", "p99"])
        #expect(object["mode"] as? String == "early-data" && object["fault"] as? String == "reset" && object["ratio_p50"] as? Double == 2)
        #expect(object["ratio_p99"] as? Double == 3)
    }

    @Test func aReportOfNothingIsStillOne() throws {
        let report = result([], []).report
        #expect(report.ratio50 == nil)
        #expect(try Output.jsonLine(report).contains("\"first_frame_ms\":null"))
    }

    @Test func thePlotIsWellFormedAndHasItsMarks() throws {
        let svg = DistributionPlot(result((1...200).map { $0 * 10_000 }, (1...200).map { $0 * 5_000 })).svg
        let document = XMLChecker()
        #expect(document.accepts(svg))
        for mark in ["p50", "p90", "p99", "milliseconds", "runs", "Floor", "Link back to first frame"] { #expect(svg.contains(mark), "\(mark)") }
        #expect(!svg.contains("nan") && !svg.contains("inf"))
        #expect(document.accepts(DistributionPlot(result([], [])).svg))
        #expect(document.accepts(DistributionPlot(result([700], [])).svg))
    }

    @Test(arguments: [0.9, 3.4, 12, 480, 99_999])
    func axesHaveRoundTicks(end: Double) {
        let ticks = DistributionPlot.ticks(to: end)
        #expect((4...11).contains(ticks.count) && ticks[0] == 0 && ticks.allSatisfy { $0 <= end })
    }

    @Test func eventsAreReadWhenAskedFor() throws {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("tail-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let tail = try EventTail(path: directory.appendingPathComponent("events").path)
        let log = try EventLog(path: tail.path, narrate: { _ in })
        log.emit("second", at: 20)
        log.emit("first", at: 10)
        #expect(tail.since(0).map(\.event) == ["first", "second"])
        log.emit("third", at: 30)
        #expect(tail.since(20).map(\.event) == ["second", "third"])
        #expect(tail.since(0).map(\.event) == ["second", "third"], "what is older was forgotten")
    }
}

/// Tags that close, attributes in quotes.
private struct XMLChecker {
    func accepts(_ text: String) -> Bool {
        var open: [Substring] = []
        for piece in text.split(separator: "<", omittingEmptySubsequences: true) {
            guard let end = piece.firstIndex(of: ">") else { return false }
            let tag = piece[..<end]
            guard tag.count(where: { $0 == "\"" }) % 2 == 0 else { return false }
            if tag.hasPrefix("/") {
                guard open.popLast() == tag.dropFirst() else { return false }
            } else if !tag.hasSuffix("/") {
                open.append(tag.prefix { $0 != " " })
            }
        }
        return open.isEmpty
    }
}

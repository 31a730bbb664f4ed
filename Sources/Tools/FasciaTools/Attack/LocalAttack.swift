import FasciaAttack
import FasciaLink
import FasciaPairing
import FasciaProcesses
import FasciaRawPeer
import Foundation
import Synchronization

/// A target of this machine, attacked while someone uses it.
struct LocalAttack: Sendable {
    let target: AttackCampaign.Target
    let only: [String]
    let seconds: Double
    let isQuiet: Bool

    /// Longest quiet before and after an attack, seconds.
    static let longestQuiet = 3.0

    /// How long each of `count` attacks goes on when all is to take `total` seconds: on a head unit alone, served, and in quiet.
    static func seconds(_ total: Double, for count: Int, on target: AttackCampaign.Target) -> Double {
        let each = total / Double(max(1, count))
        guard target == .headunit else { return each }
        return each <= 3 * longestQuiet ? each / 3 : (each - longestQuiet) / 2
    }

    func run() async throws -> LocalAttackReport { try await target == .headunit ? headUnit() : phone() }

    private func note(_ result: AttackResult) { if !isQuiet { AttackReport.line(result) } }

    // MARK: Head unit

    /// A head unit that serves a phone all the time; a second phone, paired as well, is the attacker.
    private func headUnit() async throws -> LocalAttackReport {
        let pair = try await BenchPair(app: try Programs.path("RubberSoul"))
        defer { pair.end() }
        guard let endpoint = Endpoint(pair.address), let code = PairingCode(BenchPair.code) else { throw ToolError("no address") }
        let fixtures = try PackageFolder.find().appendingPathComponent("Fixtures")
        let memory = pair.headUnit.pid
        let names = AttackCampaign.list(.headunit).map(\.name).filter { only.isEmpty || only.contains($0) }

        // Attacks on pairing may lock it: the phone pairs before them. Pairing is closed while a phone is served: the attacker pairs
        // next, and is alone with the head unit first.
        let first = try await pair.startPhone()
        try await pair.headUnit.ask("wait \"\(InputBench.appName)\" 30", within: .seconds(40))
        first.end()
        try await pair.headUnit.ask("wait \"Waiting for phone\" 30", within: .seconds(40))
        let campaign = AttackCampaign(.headunit, address: endpoint, code: code, fixtures: fixtures, watched: memory)
        let attacker = try campaign.paired()
        let alone = try await campaign.detached(only: names.filter { $0 != "pairing-guesses" }, seconds: seconds, attacker: attacker) { note($0) }

        let phone = try await pair.startPhone()
        defer { phone.end() }
        let driver = Driver(console: pair.headUnit)
        try await driver.open()
        // Quiet is measured before and after each attack: machines drift, and what matters is what the attack adds.
        let pause = min(seconds, Self.longestQuiet)
        var quiets = [try await driver.measure(for: pause)]
        var served: [ServedAttack] = []
        for name in names {
            let running = Task { try await campaign.detached(only: [name], seconds: seconds, attacker: attacker) { note($0) } }
            let latency = try await driver.measure(for: seconds)
            guard let result = try await running.value.first else { continue }
            quiets.append(try await driver.measure(for: pause))
            served.append(ServedAttack(attack: result, latencies: latency, quiet: .mean(quiets.suffix(2))))
        }
        let sessions = try await driver.sessions()
        return LocalAttackReport(target: target.rawValue, boundBytes: LinkConstants.maxResident, seconds: seconds, quiet: .mean(quiets), alone: alone, served: served, sessionsOfThePhone: sessions)
    }

    // MARK: Phone

    private func phone() async throws -> LocalAttackReport {
        let directory = try TemporaryDirectory()
        let app = try Programs.path("RubberSoul")
        guard let endpoint = Endpoint("127.0.0.1:\(try FreePort.any())"), let code = PairingCode(BenchPair.code) else { throw ToolError("no address") }
        let child = try await ChildProgram(try Programs.path("fascia-phone"), [
            "run", "--connect", endpoint.description, "--code", BenchPair.code, "--name", "Bench Phone", "--state-dir", directory.file("phone"), "--app", app,
        ], environment: BenchPair.environment, errors: .file(directory.file("phone.log")))
        defer { child.end() }
        let campaign = AttackCampaign(.phone, address: endpoint, code: code, fixtures: try PackageFolder.find().appendingPathComponent("Fixtures"), watched: child.pid)
        let results = try await campaign.detached(only: only, seconds: seconds) { note($0) }
        return LocalAttackReport(target: target.rawValue, boundBytes: LinkConstants.maxResident, seconds: seconds, quiet: nil, alone: results, served: [], sessionsOfThePhone: nil)
    }
}

/// Someone who uses the head unit's screen, and sees how long that takes.
private struct Driver: Sendable {
    let console: ChildProgram

    func open() async throws {
        try await console.ask("wait \"\(InputBench.appName)\" 30", within: .seconds(40))
        try await tap(InputBench.appName)
        try await console.ask("wait \"\(InputBench.row)\" 30", within: .seconds(40))
        try await console.ask("sleep 1")
        try await tap(InputBench.row)
        try await console.ask("sleep 0.2")
    }

    /// Again while the phone is between two connections, as a finger would.
    private func tap(_ label: String) async throws {
        for attempt in 1...50 {
            do {
                try await console.ask("tap \"\(label)\"", within: .seconds(60))
                return
            } catch let error as ToolError where attempt < 50 && error.description.contains("waited for") {
                try await console.ask("sleep 0.1", within: .seconds(60))
            }
        }
    }

    /// Longest search for a tap that changes the screen, where the time to measure is shorter than the machine's pauses.
    private static let patience = Duration.seconds(60)

    private struct Statistics: Decodable {
        struct Figures: Decodable { let p50: Double }
        let tap_to_frame_ms: Figures?
        let commit_to_frame_ms: Figures?

        var latencies: ServedLatencies? {
            guard let tap = tap_to_frame_ms?.p50, let commit = commit_to_frame_ms?.p50 else { return nil }
            return ServedLatencies(commitToFrameMs: commit, tapToFrameMs: tap)
        }
    }

    /// Medians while someone taps, for as long or until there is one of each.
    func measure(for seconds: Double) async throws -> ServedLatencies {
        try await console.ask("stats reset", within: .seconds(60))
        let end = ContinuousClock.now + .seconds(seconds), limit = end + Self.patience
        repeat {
            try await tap(InputBench.row)
            try await console.ask("sleep 0.03", within: .seconds(60))
            guard ContinuousClock.now >= end else { continue }
            let text = try await console.ask("stats", within: .seconds(60))
            if let latencies = try JSONDecoder().decode(Statistics.self, from: Data(text.utf8)).latencies { return latencies }
        } while ContinuousClock.now < limit
        throw ToolError("no tap changed the screen")
    }

    /// Sessions and resumes the head unit counts.
    func sessions() async throws -> String {
        struct Statistics: Decodable { let sessions: Int; let resumes: Int }
        let statistics = try JSONDecoder().decode(Statistics.self, from: Data(try await console.ask("stats", within: .seconds(60)).utf8))
        return "\(statistics.sessions) sessions, \(statistics.resumes) resumes"
    }
}

import ArgumentParser
import FasciaAttack
import FasciaPairing
import FasciaProcesses
import FasciaRawPeer
import Foundation

/// `fascia attack`.
public struct AttackCommand: AsyncParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "attack",
        abstract: "Be a hostile peer to a live head unit or phone.",
        discussion: """
            Attacks before TLS, inside TLS without being paired, and, with --code, as a paired peer gone bad. After each one an \
            honest peer asks whether the target still answers. Only for what is yours: it is meant to break things.

              fascia attack --local                            starts a head unit with a phone of its own and attacks that
              fascia attack --local --role phone
              fascia attack 127.0.0.1:7001 --code 135790 --watch $(pgrep -n fascia-headunit)
              fascia attack --list

            With --local a head unit is attacked twice by each: alone, and while it serves a phone, whose latencies are measured in \
            quiet before and after and meanwhile, from a commit to its frame and from a tap to the frame it leads to. The resident memory is held \
            against the bound of spec/link.md, section 13. --minutes 10 gives all of it ten minutes. \
            Exit status: 0 survived all, 1 did not, 64 wrong use.
            """)

    @Argument(help: ArgumentHelp("Where the head unit listens, or where to wait for the phone.", valueName: "host:port"))
    var address: String?

    @Option(help: "What is attacked: headunit or phone.")
    var role: AttackCampaign.Target = .headunit

    @Flag(help: "Start a target on this machine and attack that.")
    var local = false

    @Option(help: ArgumentHelp("Pairing code of the target: pairs first.", valueName: "digits"))
    var code: String?

    @Option(help: ArgumentHelp("Only these attacks; may be given several times.", valueName: "name"))
    var only: [String] = []

    @Option(help: ArgumentHelp("How long each attack goes on; 10 when nothing is said.", valueName: "s"))
    var seconds: Double?

    @Option(help: ArgumentHelp("How long all attacks go on together.", valueName: "min"))
    var minutes: Double?

    @Option(help: ArgumentHelp("Process whose memory is looked at.", valueName: "pid"))
    var watch: Int32?

    @Flag(help: "List the attacks and end.")
    var list = false

    @Flag(help: "Print JSON.")
    var json = false

    public init() {}

    public func validate() throws {
        guard seconds.map({ $0 > 0 && $0 <= 3_600 }) ?? true else { throw ValidationError("--seconds is above 0 and at most 3600") }
        guard minutes.map({ $0 > 0 && $0 <= 600 }) ?? true else { throw ValidationError("--minutes is above 0 and at most 600") }
        if seconds != nil, minutes != nil { throw ValidationError("--seconds is for each attack, --minutes for all: give one of them") }
        if let code, PairingCode(code) == nil { throw ValidationError("a pairing code has six digits: --code 135790") }
        guard !list, !local else { return }
        if address.flatMap(Endpoint.init) == nil { throw ValidationError("give the address as HOST:PORT, for example 127.0.0.1:7001, or --local") }
    }

    public func run() async throws {
        if list {
            if json { return try Output.json(["headunit": AttackCampaign.list(.headunit), "phone": AttackCampaign.list(.phone)]) }
            return Output.line(Output.table(AttackCampaign.Target.allCases.flatMap { target in AttackCampaign.list(target).map { [target.rawValue, $0.stage, $0.name, $0.what] } }))
        }
        let known = Set(AttackCampaign.list(role).map(\.name))
        if let unknown = only.first(where: { !known.contains($0) }) { throw ValidationError("there is no attack \(unknown) on a \(role.rawValue); fascia attack --list shows what there is") }
        let (role, only, json, watch, local) = (role, only, json, watch, local)
        let attacks = only.isEmpty ? known.count : Set(only).count
        let seconds = minutes.map { local ? LocalAttack.seconds($0 * 60, for: attacks, on: role) : $0 * 60 / Double(attacks) } ?? seconds ?? 10
        if local {
            let report = try await ChildPrograms.whileRunning { try await LocalAttack(target: role, only: only, seconds: seconds, isQuiet: json).run() }
            if json { try Output.json(report) } else { report.print() }
            if !report.passed { throw ExitCode.failure }
            return
        }
        guard let endpoint = address.flatMap(Endpoint.init) else { throw ExitCode.validationFailure }
        let campaign = AttackCampaign(role, address: endpoint, code: code.flatMap(PairingCode.init), fixtures: try PackageFolder.find().appendingPathComponent("Fixtures"), watched: watch)
        let results = try await campaign.detached(only: only, seconds: seconds) { if !json { AttackReport.line($0) } }
        if json { try Output.json(results) } else { Output.line("\(results.count) attacks, \(results.filter { !$0.survived }.count) not survived") }
        if results.contains(where: { !$0.survived }) { throw ExitCode.failure }
    }
}

extension AttackCampaign.Target: ExpressibleByArgument {}

extension AttackCampaign {
    /// Runs on a thread of its own: sockets and OpenSSL block.
    func detached(only: [String], seconds: Double, attacker: Attacker? = nil, onResult: @escaping @Sendable (AttackResult) -> Void) async throws -> [AttackResult] {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<[AttackResult], any Error>) in
            Thread.detachNewThread {
                continuation.resume(with: Result { try run(only: only, seconds: seconds, attacker: attacker, onStart: { _ in }, onResult: onResult) })
            }
        }
    }
}

enum AttackReport {
    static func line(_ result: AttackResult) {
        var text = "\(result.survived ? "ok  " : "FAIL") \(result.stage) \(result.name): \(result.rounds) rounds, \(result.connections) connections, \(megabytes(result.bytesSent)) sent"
        text += result.answeredAfterMs.map { ", answers after \($0.formatted()) ms" } ?? ", DOES NOT ANSWER"
        if let before = result.residentBefore, let peak = result.residentPeak, let after = result.residentAfter {
            text += ", resident \(megabytes(before)) before, \(megabytes(peak)) at most, \(megabytes(after)) after"
        }
        Output.line(text)
    }

    static func megabytes(_ bytes: Int) -> String { "\((Double(bytes) / 1e5).rounded() / 10) MB" }
}

import ArgumentParser
import FasciaConform
import FasciaPairing
import FasciaProcesses
import FasciaRawPeer
import Foundation

/// `fascia conform`.
public struct ConformCommand: AsyncParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "conform",
        abstract: "Examine a live head unit or phone against the specification.",
        discussion: """
            Each case names the requirement of spec/link.md it tries. A head unit must be waiting for a phone and pair with the \
            code; a phone must be started unpaired and connect to the address, again whenever it is turned away:

              fascia-headunit --headless --no-discovery --listen 127.0.0.1:7001 --pairing-code 135790 --state-dir /tmp/car
              fascia conform 127.0.0.1:7001 --role headunit --code 135790

              fascia conform 127.0.0.1:7002 --role phone --code 135790
              fascia-phone run --connect 127.0.0.1:7002 --code 135790 --state-dir /tmp/phone

            The cases for a head unit end with five pairings broken off, which lock its pairing for half a minute. \
            Exit status: 0 all passed, 1 some did not, 64 wrong use.
            """)

    @Argument(help: ArgumentHelp("Where the head unit listens, or where to wait for the phone.", valueName: "host:port"))
    var address: String?

    @Option(help: "What is examined: headunit or phone.")
    var role: Role = .headunit

    @Option(help: ArgumentHelp("The pairing code.", valueName: "digits"))
    var code = "135790"

    @Option(help: ArgumentHelp("Only cases with this requirement id (F-3) or of this section (8.5); may be given several times.", valueName: "id"))
    var only: [String] = []

    @Flag(help: "List the cases of both roles and end.")
    var list = false

    @Flag(help: "Print JSON.")
    var json = false

    @Option(help: ArgumentHelp("The folder Fixtures with the golden vectors; found beside the programs' package when not given.", valueName: "folder"))
    var fixtures: String?

    public func validate() throws {
        if !list, address.flatMap(Endpoint.init) == nil { throw ValidationError("give the address as HOST:PORT, for example 127.0.0.1:7001") }
        if PairingCode(code) == nil { throw ValidationError("a pairing code has six digits: --code 135790") }
    }

    public init() {}

    public func run() async throws {
        let folder = try fixtures.map { URL(fileURLWithPath: $0) } ?? PackageFolder.find().appendingPathComponent("Fixtures")
        if list { return try listCases(folder) }
        guard let endpoint = address.flatMap(Endpoint.init), let code = PairingCode(code) else { throw ExitCode.validationFailure }
        let suite = try Suite(role, address: endpoint, code: code, fixtures: folder)
        let (only, json) = (only, json)
        // Sockets and OpenSSL block: not on a thread of the concurrency pool.
        let results = try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<[CaseResult], any Error>) in
            Thread.detachNewThread {
                continuation.resume(with: Result { try suite.run(only: only) { if !json { ConformReport.line($0) } } })
            }
        }
        if results.isEmpty { throw ToolError("no case has \(only.joined(separator: " or ")); fascia conform --list shows what there is") }
        if json { try Output.json(ConformReport(role: role, results: results)) } else { ConformReport.summary(results) }
        if results.contains(where: { !$0.passed }) { throw ExitCode.failure }
    }

    private func listCases(_ folder: URL) throws {
        let cases = try Suite.list(fixtures: folder)
        if json { return try Output.json(CaseList(cases: cases, elsewhere: Suite.elsewhere)) }
        Output.line(Output.table(cases.map { [$0.role.rawValue, $0.section, $0.ids.joined(separator: " "), $0.title] }))
        for one in Suite.elsewhere { Output.line("not on a connection: \(one.id), \(one.why); shown by \(one.shownBy)") }
    }
}

extension Role: ExpressibleByArgument {}

private struct CaseList: Encodable {
    let cases: [CaseSummary]
    let elsewhere: [Elsewhere]
}

/// What `--json` prints.
struct ConformReport: Encodable {
    let role: Role
    let passed: Int
    let failed: Int
    let results: [CaseResult]

    init(role: Role, results: [CaseResult]) {
        (self.role, self.results) = (role, results)
        passed = results.filter(\.passed).count
        failed = results.count - passed
    }

    static func line(_ result: CaseResult) {
        Output.line("\(result.passed ? "ok  " : "FAIL") \(result.section) [\(result.ids.joined(separator: " "))] \(result.title)")
        if let detail = result.detail { Output.line("       \(Output.printable(detail))") }
    }

    static func summary(_ results: [CaseResult]) {
        let failed = results.filter { !$0.passed }.count
        let ids = Set(results.flatMap(\.ids)).count
        Output.line("\(results.count) cases of \(ids) requirements: \(results.count - failed) passed, \(failed) failed")
    }
}

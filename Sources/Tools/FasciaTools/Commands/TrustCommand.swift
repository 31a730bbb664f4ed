import ArgumentParser
import FasciaTrust
import Foundation

public struct TrustCommand: ParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "trust",
        abstract: "Shows and forgets paired phones and cars.",
        discussion: """
            EXAMPLES
              fascia trust                                     the cars this machine's phone is paired with
              fascia trust list --program headunit --json      the phones its head unit is paired with
              fascia trust forget "Living Room"                by name, or by the first 8 or more digits of the fingerprint
            """,
        subcommands: [List.self, Forget.self], defaultSubcommand: List.self)

    public init() {}

    enum Program: String, ExpressibleByArgument, CaseIterable { case phone, headunit }

    struct Store: ParsableArguments {
        @Option(help: "Whose trust store: phone or headunit.") var program = Program.phone
        @Option(help: "Its directory (default: $XDG_STATE_HOME/fascia/<program>).") var stateDir: String?
        @Flag(help: "Write JSON.") var json = false

        func open() throws -> TrustStore {
            try TrustStore(try StateDirectory.resolve(flag: stateDir, program: program.rawValue))
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lists the paired peers.")
        @OptionGroup var store: Store

        func run() throws {
            let trust = try store.open()
            let peers = try trust.currentPeers()
            if store.json { return try Output.json(peers.map(PeerDescription.init)) }
            guard !peers.isEmpty else { return Output.note("nothing is paired (\(trust.path))") }
            Output.line(Output.table([["NAME", "FINGERPRINT", "PAIRED", "LAST ADDRESS"]] + peers.map(PeerDescription.init).map {
                [Output.printable($0.name), String($0.fingerprint.prefix(16)), $0.paired, $0.lastAddress ?? "-"]
            }))
        }
    }

    struct Forget: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Forgets a paired peer; it must be paired again to connect.",
            discussion: "A peer that is connected at this moment stays connected until its link ends.")
        @OptionGroup var store: Store
        @Argument(help: "Name, or at least 8 digits of the fingerprint.") var peer: String

        func run() throws {
            let forgotten = try store.open().forget(peer).map(PeerDescription.init)
            if store.json { return try Output.json(forgotten) }
            for peer in forgotten { Output.line("forgot \(Output.printable(peer.name)) (\(peer.fingerprint.prefix(16)))") }
        }
    }
}

/// A peer as `--json` prints it.
struct PeerDescription: Encodable {
    let name, fingerprint, paired: String
    let lastAddress: String?

    init(_ peer: TrustedPeer) {
        (name, fingerprint, lastAddress) = (peer.name, peer.fingerprint.hex, peer.lastAddress)
        paired = Date(timeIntervalSince1970: TimeInterval(peer.pairedAt)).formatted(.iso8601)
    }
}

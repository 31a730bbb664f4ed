import ArgumentParser
import FasciaLab

struct LabUpCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "up", abstract: "Makes the two hosts and joins them.")

    @OptionGroup var name: LabName
    @Flag(name: .customLong("no-discovery"), help: "No D-Bus and avahi-daemon in the hosts.") var noDiscovery = false
    @Option(help: "Of loss and jitter: the same seed loses the same packets.") var seed: UInt64 = 1
    @Option(help: "TCP congestion control in the hosts, such as cubic or bbr (default: the system's).") var congestion: String?
    @Flag(help: "No TCP Fast Open in the hosts.") var noFastOpen = false

    func run() async throws {
        try await withLab(name.name) { lab in
            var options = Lab.Options()
            (options.discovery, options.seed, options.congestion, options.fastOpen) = (!noDiscovery, seed, congestion, !noFastOpen)
            try await lab.up(.background, options: options)
            try LabStatusCommand.show(lab)
        }
    }
}

struct LabDownCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "down", abstract: "Ends the link and the daemons; also after a crash, and when there is nothing to end.",
        discussion: "Programs started with `fascia lab exec` are not ended: they stay behind without a network.")

    @OptionGroup var name: LabName

    func run() async throws { try await withLab(name.name) { try await $0.down() } }
}

struct LabStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "status", abstract: "What is up. Exit status 1 when the lab is not.")

    @OptionGroup var name: LabName
    @Flag(help: "Write JSON.") var json = false

    func run() async throws {
        try await withLab(name.name) { lab in
            if json { try Output.json(try lab.status()) } else { try Self.show(lab) }
        }
    }

    static func show(_ lab: Lab) throws {
        let status = try lab.status()
        Output.line("lab \(status.name)")
        let rows = status.hosts.sorted { $0.key < $1.key }.map { name, host in
            [name, host.address, host.interface, "TCP \(host.congestion), Fast Open \(host.fastOpen)", host.network]
        }
        Output.line(Output.table(rows))
        for (direction, settings) in try lab.link.settings().sorted(by: { $0.key < $1.key }) {
            Output.line("\(direction.replacing("_", with: " ")): \(settings.summary)")
        }
        Output.line("processes: " + status.processes.map { "\($0.name) \($0.pid)\($0.running ? "" : " (ended)")" }.joined(separator: ", ") + "; log \(status.log)")
    }
}

extension LinkSettings {
    var summary: String {
        func milliseconds(_ time: UInt64) -> String { "\(Double(time) / 1e6) ms" }
        var parts = ["delay \(milliseconds(delay))"]
        if jitter > 0 { parts.append("jitter \(milliseconds(jitter))\(reorders ? ", reordering" : "")") }
        parts.append("loss \(loss * 100) %")
        parts.append(rate.map { "\(Double($0) / 1e6) Mbit/s, queue \(queue) bytes" } ?? "no rate limit")
        return parts.joined(separator: ", ")
    }
}

/// The process behind a lab, started by `up`.
struct LabLinkCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "link", abstract: "The link itself; `up` starts it.", shouldDisplay: false)

    @OptionGroup var name: LabName
    @Flag(name: .customLong("no-discovery")) var noDiscovery = false
    @Flag var lifeline = false
    @Option var seed: UInt64 = 1
    @Option var congestion: String?
    @Flag var noFastOpen = false

    func run() throws {
        var options = Lab.Options()
        (options.discovery, options.seed, options.congestion, options.fastOpen) = (!noDiscovery, seed, congestion, !noFastOpen)
        try LinkProcess(name: name.name, options: options, lifeline: lifeline).run()
    }
}

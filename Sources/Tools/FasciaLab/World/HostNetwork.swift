import CLabSystem
import Foundation

/// The network namespace of a host, with its end of the link.
struct HostNetwork: Sendable {
    let host: LabHost
    /// Descriptor of the namespace; it lives as long as this or a process in it.
    let network: Int32
    let tap: Int32
    let congestion: String
    let fastOpen: Int

    /// Leaves the calling thread in the namespace it was in.
    init(_ host: LabHost, options: Lab.Options) throws(LabError) {
        self.host = host
        let before = fascia_namespace_current()
        guard before >= 0 else { throw .system("cannot open the network namespace") }
        network = fascia_namespace_new()
        guard network >= 0 else { throw .system("cannot make a network namespace") }
        defer {
            fascia_namespace_enter(before)
            close(before)
        }
        // What is not there is not switched: a kernel without IPv6, for example.
        Self.setting("ipv6/conf/all/disable_ipv6", "1")
        Self.setting("ipv6/conf/default/disable_ipv6", "1")
        Self.setting("ipv4/tcp_fastopen", options.fastOpen ? "3" : "0")
        if let congestion = options.congestion, !Self.setting("ipv4/tcp_congestion_control", congestion) {
            throw LabError(.failed, "this kernel has no TCP congestion control \"\(congestion)\"; it has \(Self.setting("ipv4/tcp_available_congestion_control") ?? "none")")
        }
        congestion = Self.setting("ipv4/tcp_congestion_control") ?? ""
        fastOpen = Self.setting("ipv4/tcp_fastopen").flatMap { Int($0) } ?? 0
        tap = fascia_tap_open(Lab.interface)
        guard tap >= 0 else { throw .system("cannot make a TAP device with /dev/net/tun") }
    }

    @discardableResult
    private static func setting(_ name: String, _ value: String) -> Bool {
        let descriptor = open("/proc/sys/net/" + name, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return write(descriptor, value, value.utf8.count) > 0
    }

    private static func setting(_ name: String) -> String? {
        (try? String(contentsOfFile: "/proc/sys/net/" + name, encoding: .utf8))?.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Addresses, routes, and where the other host is: no ARP, so that the first packet after a cut is one of the programs'.
    func configure(_ place: LabPlace, log: Int32) throws(LabError) {
        let device = Lab.interface
        let batch = """
            link set lo up
            link set lo multicast on
            link set \(device) address \(host.hardwareAddress)
            link set \(device) up multicast on
            addr add \(host.address)/24 brd + dev \(device)
            route add 224.0.0.0/4 dev \(device)
            neigh replace \(host.other.address) lladdr \(host.other.hardwareAddress) dev \(device) nud permanent

            """
        let file = place.directory(of: host) + "/ip-batch"
        do { try batch.write(toFile: file, atomically: false, encoding: .utf8) } catch { throw LabError(.failed, "cannot write \(file): \(error)") }
        var status: Int32 = 0
        let pid = try HostSpawn.start(["ip", "-batch", file], on: self, place: place, binds: [], output: log)
        while waitpid(pid, &status, 0) < 0, errno == EINTR {}
        guard status == 0 else { throw LabError(.failed, "ip could not set up the \(host.rawValue); see \(place.log)") }
    }
}

import Foundation
import Synchronization

/// What is up.
public struct LabStatus: Codable, Sendable {
    public struct Host: Codable, Sendable {
        public let address: String
        public let interface: String
        /// For `nsenter --net=…`, where the link's processes can be seen.
        public let network: String
        /// TCP congestion control of connections made there.
        public let congestion: String
        /// TCP Fast Open, as the kernel counts it: 3 is client and server.
        public let fastOpen: Int

        enum CodingKeys: String, CodingKey { case address, interface, network, congestion, fastOpen = "tcp_fastopen" }
    }

    public let name: String
    public let hosts: [String: Host]
    public let processes: [ProcessEntry]
    public let log: String

    public struct ProcessEntry: Codable, Sendable {
        public let pid: Int32
        public let name: String
        public let running: Bool
    }
}

/// Where the link's parts put what `status` tells.
final class StatusBoard: Sendable {
    private let place: LabPlace
    private let hosts: [HostNetwork]
    private let processes: Mutex<[ProcessIdentity]>

    init(place: LabPlace, hosts: [HostNetwork]) {
        (self.place, self.hosts) = (place, hosts)
        processes = Mutex([ProcessIdentity(pid: getpid())].compactMap(\.self))
    }

    func set(_ daemons: [ProcessIdentity]) { processes.withLock { $0 = Array($0.prefix(1)) + daemons } }

    func current() -> LabStatus {
        LabStatus(
            name: place.name,
            hosts: Dictionary(uniqueKeysWithValues: hosts.map { network in
                (network.host.rawValue, LabStatus.Host(address: network.host.address, interface: Lab.interface, network: "/proc/\(getpid())/fd/\(network.network)",
                                                       congestion: network.congestion, fastOpen: network.fastOpen))
            }),
            processes: processes.withLock { $0.map { .init(pid: $0.pid, name: $0.name, running: $0.isRunning) } },
            log: place.log)
    }
}

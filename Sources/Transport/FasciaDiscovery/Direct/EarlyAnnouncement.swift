import CResolver
import Logging

/// Tells everybody about a service at once, while its names are still being probed for by Avahi (0.75 s and more): one unsolicited
/// response (RFC 6762, 8.3) with all records a phone needs. Only for names that are unique by construction (spec 4.1), of which no
/// other host can have a record that this would displace.
enum EarlyAnnouncement {
    /// As Avahi has them; another lifetime or content than the responder's would be a conflict with it.
    private static let serviceLifetime: UInt32 = 4500, hostLifetime: UInt32 = 120

    /// - Parameter host: the fully qualified name of this host, as the responder announces it.
    /// - Returns: the interfaces it was sent on; none where port 5353 is not shared or there is no IPv4.
    @discardableResult
    static func send(instance: String, host: String, port: UInt16, text: ServiceText, on only: String?) -> [String] {
        guard let service = DNSName.service(instance), let type = DNSName.type, let host = DNSName(host) else { return [] }
        return MulticastInterface.all(only: only).filter { interface in
            guard let socket = MulticastSocket(on: interface, sharesPort: true) else { return false }
            var records = [
                DNSWriter.Record(name: type, type: ns_t_ptr, isUnique: false, lifetime: serviceLifetime, data: service.wire),
                DNSWriter.Record(name: service, type: ns_t_srv, isUnique: true, lifetime: hostLifetime,
                                 data: [0, 0, 0, 0, UInt8(port >> 8), UInt8(truncatingIfNeeded: port)] + host.wire),
                DNSWriter.Record(name: service, type: ns_t_txt, isUnique: true, lifetime: serviceLifetime,
                                 data: text.entries.flatMap { [UInt8(clamping: $0.count)] + $0 }),
            ]
            // Not unique: with the daemon the host's name is the system's, which has more addresses than are known here.
            records += interface.ipv4.map { DNSWriter.Record(name: host, type: ns_t_a, isUnique: false, lifetime: hostLifetime, data: $0) }
            return socket.send(DNSWriter.announcement(records))
        }.map(\.name)
    }
}

import CResolver
import Glibc

/// Asks for one car by the name of its service, past every cache: a one-shot query from a port of its own, which the responder
/// that has the records answers directly (RFC 6762, 5.1 and 6.7), in well under a millisecond on a quiet host.
public enum UnicastQuery {
    public struct Answer: Sendable, Equatable {
        public let car: DiscoveredCar
        /// From asking to the whole answer, nanoseconds.
        public let roundTrip: UInt64
        /// Where it came in.
        public let interface: String
    }

    /// When the question is sent again, milliseconds from the first time: multicast is not acknowledged on Wi-Fi.
    private static let repeats: [Int64] = [0, 60, 250]

    /// - Parameters:
    ///   - instance: the service's name (`Advertisement.instance`).
    ///   - options: its interface bounds where is asked; the backend does not matter.
    /// - Returns: nil when nobody has answered `within` this time, or the task was cancelled.
    public static func ask(_ instance: String, options: DiscoveryOptions, within limit: Duration = .milliseconds(500)) async -> Answer? {
        await withCheckedContinuation { continuation in
            let limit = Int64(limit.components.seconds * 1000 + limit.components.attoseconds / 1_000_000_000_000_000)
            let thread = PosixThread { continuation.resume(returning: run(instance, options.interface, limit)) }
            if thread == nil { continuation.resume(returning: nil) } // detached: ends by itself
        }
    }

    private static func run(_ instance: String, _ only: String?, _ limit: Int64) -> Answer? {
        guard let name = DNSName.service(instance), let wanted = name.comparable else { return nil }
        let open = MulticastInterface.all(only: only).compactMap { interface in
            MulticastSocket(on: interface, sharesPort: false).map { (interface: interface, socket: $0) }
        }
        guard !open.isEmpty else { return nil }
        let id = UInt16.random(in: 1...UInt16.max)
        let query = DNSWriter.query(id: id, [(name, ns_t_srv), (name, ns_t_txt)])
        let start = now()
        var sent = 0
        while case let elapsed = Int64((now() - start) / 1_000_000), elapsed < limit {
            if sent < repeats.count, elapsed >= repeats[sent] {
                for (_, socket) in open { socket.send(query) }
                sent += 1
            }
            let next = min(sent < repeats.count ? repeats[sent] : limit, limit)
            var waiting = open.map { pollfd(fd: $0.socket.descriptor, events: Int16(POLLIN), revents: 0) }
            guard poll(&waiting, nfds_t(waiting.count), Int32(clamping: max(1, next - elapsed))) > 0 else { continue }
            for (interface, socket) in open {
                while let (message, sender) = socket.receive() {
                    let records = DNSRecord.answers(in: message, id: id)
                    guard let car = DiscoveredCar(instance: instance, comparable: wanted, records: records, sender: sender) else { continue }
                    return Answer(car: car, roundTrip: now() - start, interface: interface.name)
                }
            }
        }
        return nil
    }

    private static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}

extension DiscoveredCar {
    /// What an answer says about the instance asked for; nil when it has no SRV record for it. A responder that sends no addresses
    /// along is itself the host: it has only records of its own.
    init?(instance: String, comparable: String, records: [DNSRecord], sender: [UInt8]) {
        var location: (port: UInt16, host: String)?
        var text = ServiceText()
        for record in records where record.name == comparable {
            switch record.value {
            case .service(let port, let host) where location == nil && port != 0: location = (port, host)
            case .text(let entries): text = ServiceText(entries: entries)
            default: break
            }
        }
        guard let location else { return nil }
        let raw = records.compactMap { record in if case .address(let bytes) = record.value, record.name == location.host { bytes } else { nil } }
        // A link-local IPv6 address would need the scope; the IPv4 one this came from does as well.
        let usable = raw.filter { $0.count == 4 } + raw.filter { $0.count == 16 && !($0[0] == 0xFE && $0[1] & 0xC0 == 0x80) }
        var addresses: [String] = []
        for address in (usable.isEmpty ? [sender] : usable).map(Self.written) where !addresses.contains(address) { addresses.append(address) }
        guard let first = addresses.first else { return nil }
        let id = text[ServiceText.idKey]?.lowercased()
        self.init(name: instance, id: id.flatMap { Advertisement.isID($0) ? $0 : nil }, host: first, port: location.port, addresses: addresses,
                  hostName: location.host, txt: text)
    }

    private static func written(_ address: [UInt8]) -> String {
        var buffer = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        guard inet_ntop(address.count == 4 ? AF_INET : AF_INET6, address, &buffer, socklen_t(buffer.count)) != nil else { return "" }
        return DNSRecord.text(buffer)
    }
}

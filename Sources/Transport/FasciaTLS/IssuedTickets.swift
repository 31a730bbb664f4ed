import COpenSSL
import Synchronization

/// The session tickets a head unit has issued and that were not used: each can be taken once, by one connection, which is what makes
/// a recorded first flight worthless (RFC 8446, 8.1). In memory only: a restarted head unit knows none, and handshakes are full.
final class IssuedTickets: Sendable {
    /// Tickets kept for one phone; more than a phone keeps, because those of connections that were cut off are never used.
    static let perPeer = 16
    /// Phones with tickets.
    static let peers = 32

    private struct Issued {
        let id: [UInt8]
        let ticket: TicketCache.Ticket
    }

    private let issued = Mutex<[Fingerprint: [Issued]]>([:])

    /// How many tickets are there for `peer`.
    func count(for peer: Fingerprint) -> Int { issued.withLock { $0[peer]?.count ?? 0 } }

    /// - Returns: those that had to go for it.
    func store(_ ticket: TicketCache.Ticket, for peer: Fingerprint) -> [TicketCache.Ticket] {
        var length: UInt32 = 0
        guard let start = SSL_SESSION_get_id(ticket.session, &length) else { return [] }
        let id = Array(UnsafeBufferPointer(start: start, count: Int(length)))
        return issued.withLock { issued in
            var gone: [Issued] = []
            if issued[peer] == nil, issued.count >= Self.peers, let other = issued.keys.first { gone = issued.removeValue(forKey: other) ?? [] }
            var list = issued[peer] ?? []
            if list.count >= Self.perPeer { gone.append(list.removeFirst()) }
            list.append(Issued(id: id, ticket: ticket))
            issued[peer] = list
            return gone.map(\.ticket)
        }
    }

    /// The ticket with that id and whom it was issued to. It is gone afterwards.
    func take(_ id: UnsafeBufferPointer<UInt8>) -> (ticket: TicketCache.Ticket, peer: Fingerprint)? {
        issued.withLock { issued in
            for (peer, list) in issued {
                guard let index = list.firstIndex(where: { $0.id.elementsEqual(id) }) else { continue }
                let ticket = list[index].ticket
                issued[peer]?.remove(at: index)
                return (ticket, peer)
            }
            return nil
        }
    }
}

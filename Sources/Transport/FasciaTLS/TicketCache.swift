import COpenSSL
import Synchronization

/// The phone's session tickets, by head unit, in memory only. Each is used once (RFC 8446, C.4), so that connections
/// cannot be linked by it.
public final class TicketCache: Sendable {
    /// Tickets kept for one peer: each connection of a race uses one.
    public static let ticketsPerPeer = 8

    /// One `SSL_SESSION`. Sendable: its reference count is atomic and nothing else of it changes.
    final class Ticket: @unchecked Sendable {
        let session: OpaquePointer
        /// Takes over the reference.
        init(adopting session: OpaquePointer) { self.session = session }
        deinit { SSL_SESSION_free(session) }
    }

    /// How much of a handshake tickets may save.
    public enum Use: String, Sendable, CaseIterable {
        /// Every handshake is a full one.
        case full
        /// A ticket shortens it.
        case ticket
        /// And data goes with its first message.
        case earlyData = "early-data"
    }

    /// What is made of the tickets; less than all only for measurements.
    public let use: Use
    private let tickets = Mutex<[Fingerprint: [Ticket]]>([:])

    public init(use: Use = .earlyData) { self.use = use }

    /// How many tickets are there for `peer`.
    public func count(for peer: Fingerprint) -> Int { tickets.withLock { $0[peer]?.count ?? 0 } }

    /// All tickets of a peer, for example after pairing anew.
    public func forget(_ peer: Fingerprint) { tickets.withLock { $0[peer] = nil } }

    func store(_ ticket: Ticket, for peer: Fingerprint) {
        tickets.withLock { tickets in
            var list = tickets[peer] ?? []
            list.append(ticket)
            tickets[peer] = list.suffix(Self.ticketsPerPeer)
        }
    }

    /// A ticket of a connection on which nothing was heard: a race on a path that was cut must not use them all up. The server may
    /// have taken it all the same, and then asks for a full handshake: it is the last to be used.
    /// - Parameter isFresh: it never left this machine.
    func giveBack(_ ticket: Ticket, for peer: Fingerprint, isFresh: Bool) {
        tickets.withLock { tickets in
            var list = tickets[peer] ?? []
            if list.count < Self.ticketsPerPeer { list.insert(ticket, at: isFresh ? list.count : 0) }
            tickets[peer] = list
        }
    }

    /// The newest one that is still good.
    func take(for peer: Fingerprint) -> Ticket? {
        guard use != .full else { return nil }
        return tickets.withLock { tickets in
            while let ticket = tickets[peer]?.popLast() {
                if SSL_SESSION_is_resumable(ticket.session) == 1 { return ticket }
            }
            return nil
        }
    }
}

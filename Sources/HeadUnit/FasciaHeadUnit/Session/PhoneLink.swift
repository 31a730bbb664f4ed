import FasciaSession
import FasciaWire

/// A connection to a phone, past TLS and Hello.
protocol PhoneLink: AnyObject, Sendable {
    func send(channel: ChannelID, type: UInt16, body: [UInt8])
    func close(_ code: CloseCode, detail: String)
    /// Whether messages may go on this channel.
    func opens(_ channel: ChannelID) -> Bool
    var figures: LinkFigures { get }
    /// The phone has shown that it has the Welcome of this connection.
    var hasPeerAnswered: Bool { get }
}

/// Counters of one connection.
struct LinkFigures: Sendable, Equatable {
    var bytesIn: UInt64 = 0
    var bytesOut: UInt64 = 0
    /// Nanoseconds, nil before the first probe was answered.
    var roundTrip: UInt64?
}

/// Who is at the other end.
struct PhonePeer: Sendable, Equatable {
    var name: String
    /// SHA-256 of the public key.
    var fingerprint: [UInt8]
    /// For logs.
    var address: String
}

/// Connections by the numbers the session machine knows them by; a machine's action names one, an event of the network brings one.
struct LinkTable {
    private var links: [LinkID: any PhoneLink] = [:]
    private var last: UInt64 = 0

    subscript(id: LinkID) -> (any PhoneLink)? { links[id] }

    /// The number of a connection, a new one when it has none yet.
    mutating func number(_ link: any PhoneLink) -> LinkID {
        if let id = id(of: link) { return id }
        last += 1
        let id = LinkID(rawValue: last)
        links[id] = link
        return id
    }

    /// Nil when the connection is over.
    func id(of link: any PhoneLink) -> LinkID? { links.first { $0.value === link }?.key }

    mutating func remove(_ id: LinkID) -> (any PhoneLink)? { links.removeValue(forKey: id) }
}

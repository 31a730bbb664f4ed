import FasciaWire

/// A connection to a phone, past TLS and Hello.
protocol PhoneLink: AnyObject, Sendable {
    func send(channel: ChannelID, type: UInt16, body: [UInt8])
    func close(_ code: CloseCode, detail: String)
    var figures: LinkFigures { get }
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

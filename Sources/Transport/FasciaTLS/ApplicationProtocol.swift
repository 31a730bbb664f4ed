/// What is spoken inside TLS, negotiated by ALPN (RFC 7301).
public struct ApplicationProtocol: Hashable, Sendable, CustomStringConvertible {
    public let name: String
    public var description: String { name }

    /// The link between paired peers.
    public static let link = ApplicationProtocol(name: "fascia/1")
    /// Pairing only: the peer's key is not known yet.
    public static let pairing = ApplicationProtocol(name: "fascia-pair/1")

    /// The ALPN protocol list: each name after its length in one byte.
    static func wireList(_ protocols: [ApplicationProtocol]) -> [UInt8] {
        protocols.flatMap { [UInt8(truncatingIfNeeded: $0.name.utf8.count)] + Array($0.name.utf8) }
    }
}

/// What a head unit says about itself on the local network, as DNS-SD service `_fascia._tcp` (spec/link.md, discovery).
public struct Advertisement: Sendable, Equatable {
    /// The DNS-SD service type.
    public static let serviceType = "_fascia._tcp"

    /// The name people see. Any text: what does not fit a DNS label (63 bytes of UTF-8, no control characters) is cut.
    public var name: String
    /// TCP port of the listener.
    public var port: UInt16
    public var txt: ServiceText

    public init(name: String, port: UInt16, txt: ServiceText) {
        self.name = name
        self.port = port
        self.txt = txt
    }

    /// The advertisement of a car.
    /// - Parameters:
    ///   - fingerprint: SHA-256 of the head unit's public key; its first 8 bytes are announced as 16 hex digits, a hint
    ///     with which a phone recognises a car it knows. Identity is proved by TLS, never by this.
    ///   - pairing: whether the head unit accepts a new phone now.
    public init(name: String, port: UInt16, fingerprint: some Sequence<UInt8>, pairing: Bool) {
        self.init(name: name, port: port, txt: [
            ServiceText.versionKey: "1",
            ServiceText.idKey: Self.id(of: fingerprint),
            ServiceText.nameKey: name,
            ServiceText.pairKey: pairing ? "1" : "0",
        ])
    }

    /// The DNS-SD instance name: `name` and `id`, so that no two cars want the same one (spec 4.1); `name` alone without an id.
    public var instance: String { id.map { ServiceName.unique(name, id: $0) } ?? ServiceName.legal(name) }

    /// The instance name of a car that is known by its name and key.
    public static func instance(name: String, fingerprint: some Sequence<UInt8>) -> String { ServiceName.unique(name, id: id(of: fingerprint)) }

    /// What makes names unique; nil when TXT has none.
    var id: String? { txt[ServiceText.idKey].flatMap { Self.isID($0) ? $0.lowercased() : nil } }

    static func isID(_ text: String) -> Bool { text.utf8.count == 16 && text.allSatisfy(\.isHexDigit) }

    /// The `id` of a public key fingerprint: its first 8 bytes as lower-case hex.
    public static func id(of fingerprint: some Sequence<UInt8>) -> String {
        fingerprint.prefix(8).map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}

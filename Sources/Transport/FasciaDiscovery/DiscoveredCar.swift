/// A head unit somewhere on the local network. Nothing in it is proved: it is what any host could have announced.
public struct DiscoveredCar: Sendable, Equatable {
    /// The service name: unique on the network at one time ("Fascia", "Fascia #2").
    public var name: String
    /// First 16 hex digits of the SHA-256 of the head unit's public key, nil when absent or malformed.
    public var id: String?
    /// Where to connect: the first of `addresses`.
    public var host: String
    public var port: UInt16
    /// Numeric addresses, IPv4 first; IPv6 link-local ones with their scope (`fe80::1%eth0`).
    public var addresses: [String]
    /// The mDNS host name ("head-unit.local").
    public var hostName: String
    public var txt: ServiceText

    public init(name: String, id: String?, host: String, port: UInt16, addresses: [String], hostName: String, txt: ServiceText) {
        self.name = name
        self.id = id
        self.host = host
        self.port = port
        self.addresses = addresses
        self.hostName = hostName
        self.txt = txt
    }

    /// The whole name, which a long one has only in TXT.
    public var displayName: String { txt[ServiceText.nameKey] ?? name }
    /// Whether the car says that it accepts a new phone now.
    public var acceptsPairing: Bool { txt[ServiceText.pairKey] == "1" }
    /// Protocol versions the car says it speaks.
    public var versions: [Int] { (txt[ServiceText.versionKey] ?? "").split(separator: ",").prefix(16).compactMap { Int($0) } }
}

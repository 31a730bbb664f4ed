import FasciaTLS

/// Who is at the other end of a connection.
public struct RemotePeer: Sendable, Hashable {
    /// The name it was paired with.
    public let name: String
    public let fingerprint: Fingerprint
    public let address: CarrierAddress
}

/// A peer that has just been paired and stored.
public struct PairedPeer: Sendable, Hashable {
    /// What it calls itself.
    public let name: String
    public let fingerprint: Fingerprint
    public let address: CarrierAddress
}

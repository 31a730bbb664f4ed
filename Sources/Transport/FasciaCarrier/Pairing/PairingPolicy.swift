import FasciaPairing

/// On what conditions a head unit pairs.
public struct PairingPolicy: Sendable {
    /// The code to be entered on the phone; `nil` while the head unit does not pair.
    public var code: PairingCode?
    /// What the phone will call this head unit.
    public var name: String
    /// Counts wrong codes.
    public let lockout: PairingLockoutFile

    public init(code: PairingCode?, name: String, lockout: PairingLockoutFile) {
        self.code = code
        self.name = name
        self.lockout = lockout
    }
}

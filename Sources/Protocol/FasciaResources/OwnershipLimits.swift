/// Limits of spec/ownership.md, 6.
public enum OwnershipLimits {
    /// Bytes of a `reason`.
    public static let maximumReason = 64
    /// Requests a phone keeps for sending, the one on its way included; of this implementation.
    public static let maximumWaiting = 32
}

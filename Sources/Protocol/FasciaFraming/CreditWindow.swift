/// Credit on the receiving side of one channel: how much the peer may still send, and how much is owed to it.
@frozen
public struct ReceiveCredit: Sendable {
    /// Bytes the peer may still send.
    public private(set) var available: Int
    /// Bytes consumed here and not yet granted again.
    public private(set) var owed = 0
    /// `owed` at which a CREDIT frame is worth sending.
    @usableFromInline let threshold: Int

    /// - Parameter initial: the channel's initial credit, in bytes.
    public init(initial: Int) {
        available = initial
        threshold = initial / 4
    }

    /// Takes the bytes of a frame from the credit; false when there was not enough.
    public mutating func spend(_ bytes: Int) -> Bool {
        if bytes > available { return false }
        available -= bytes
        return true
    }

    /// The bytes were consumed; true when a CREDIT frame is due.
    public mutating func consume(_ bytes: Int) -> Bool {
        owed += bytes
        return owed >= threshold
    }

    /// What to put into the CREDIT frame sent now.
    public mutating func grant() -> UInt32 {
        let granted = owed
        available += granted
        owed = 0
        return UInt32(clamping: granted)
    }
}

/// Credit on the sending side of one channel.
@frozen
public struct SendCredit: Sendable {
    /// Bytes that may be sent now.
    public private(set) var available: Int

    /// - Parameter initial: the channel's initial credit, in bytes.
    public init(initial: Int) { available = initial }

    /// Credit given by the peer; false when it is 0 or adds up to more than `FramingLimits.maxCredit`.
    public mutating func add(_ bytes: UInt32) -> Bool {
        let sum = available + Int(bytes)
        if bytes == 0 || sum > FramingLimits.maxCredit { return false }
        available = sum
        return true
    }

    /// Takes the bytes of a frame; the caller asked `available` before.
    public mutating func spend(_ bytes: Int) { available -= bytes }
}

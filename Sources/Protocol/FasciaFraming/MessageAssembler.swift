/// The fragment rules of one channel: a message is FIRST, any number of others, LAST, with nothing of another message between.
/// ```
///            FIRST|LAST (delivered)
///            +-----+
///            v     |   FIRST                    not FIRST, not LAST
///          +---------+ --------> +------------+ ------+
///          |  idle   |           | assembling | <-----+
///          +---------+ <-------- +------------+
///               |       LAST (delivered) |
///     not FIRST v                        v FIRST, or too large
///             violation               violation
/// ```
@frozen
public struct MessageAssembler: Sendable {
    /// What a fragment led to.
    @frozen
    public enum Progress {
        /// More fragments must come.
        case partial
        /// The fragment was the whole message: type, then the body is the fragment after its first two bytes.
        case whole(type: UInt16)
        /// The last fragment came: `take()` the body.
        case assembled(type: UInt16)
    }

    /// Longest message (type and body), in bytes.
    public var maxMessage: Int
    /// Bytes of the unfinished message so far, without its type; when idle, what the last one left.
    @usableFromInline var assembled: [UInt8] = []
    @usableFromInline var type: UInt16 = 0
    /// Whether a message has begun and not ended.
    public internal(set) var isAssembling = false

    /// Bytes kept of a message that has begun and not ended.
    public var unfinishedBytes: Int { isAssembling ? assembled.count : 0 }

    /// A finished message's memory above this, in bytes, is given back instead of being kept for the next one.
    static let keptCapacity = 1_048_576

    @inlinable
    public init(maxMessage: Int) { self.maxMessage = maxMessage }

    /// Takes one MESSAGE frame whose header was already validated.
    @inlinable
    public mutating func accept(_ header: FrameHeader, _ payload: UnsafeRawBufferPointer) throws(FramingError) -> Progress {
        if header.flags.rawValue == FrameFlags.whole.rawValue && !isAssembling {
            if payload.count > maxMessage { throw FramingError(.messageTooLarge, header) }
            return .whole(type: UInt16(bigEndian: unsafe payload.loadUnaligned(as: UInt16.self)))
        }
        return unsafe try acceptFragment(header, payload)
    }

    @usableFromInline
    mutating func acceptFragment(_ header: FrameHeader, _ payload: UnsafeRawBufferPointer) throws(FramingError) -> Progress {
        let typeSize = FramingLimits.messageTypeSize
        if header.flags.contains(.first) {
            if isAssembling { throw FramingError(.unexpectedFirst, header) }
            if payload.count > maxMessage { throw FramingError(.messageTooLarge, header) }
            type = UInt16(bigEndian: unsafe payload.loadUnaligned(as: UInt16.self))
            isAssembling = true
            assembled.removeAll(keepingCapacity: true) // here and not in `recycle`, whose caller still holds the array: that would copy it
            unsafe assembled.append(contentsOf: UnsafeRawBufferPointer(rebasing: payload[typeSize...]))
        } else {
            if !isAssembling { throw FramingError(.unexpectedContinuation, header) }
            if typeSize + assembled.count + payload.count > maxMessage { throw FramingError(.messageTooLarge, header) }
            unsafe assembled.append(contentsOf: payload)
        }
        return header.flags.contains(.last) ? .assembled(type: type) : .partial
    }

    /// The body of an assembled message, moved out. The channel is idle again.
    public mutating func take() -> [UInt8] {
        var body: [UInt8] = []
        swap(&body, &assembled)
        isAssembling = false
        return body
    }

    /// Forgets a message that has begun, and its memory.
    public mutating func letGo() { self = MessageAssembler(maxMessage: maxMessage) }

    /// Gives back the memory of a body that `take()` returned, for the next message.
    public mutating func recycle(_ body: consuming [UInt8]) {
        if isAssembling || body.capacity > Self.keptCapacity { return }
        assembled = body
    }
}

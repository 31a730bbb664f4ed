import DequeModule

/// Messages of one channel waiting to be sent, oldest first. Bodies are kept, not copied.
struct SendQueue: Sendable {
    struct Message: Sendable {
        let type: UInt16
        let body: [UInt8]

        /// Bytes on the wire without frame headers.
        var size: Int { 2 + body.count }
    }

    private var messages: Deque<Message> = []
    /// Bytes of the oldest message already sent, its type included; 0 when it has not begun.
    private(set) var sent = 0
    /// Bytes waiting, message types included.
    private(set) var bytes = 0

    /// Messages waiting, an unfinished one included.
    var count: Int { messages.count }

    var isEmpty: Bool { messages.isEmpty }

    /// The oldest message; the caller asked `isEmpty` before.
    var front: Message { messages[0] }

    mutating func append(type: UInt16, body: [UInt8]) {
        let message = Message(type: type, body: body)
        messages.append(message)
        bytes += message.size
    }

    /// `count` more bytes of the oldest message were sent; true when that was its end.
    mutating func advance(_ count: Int) -> Bool {
        sent += count
        bytes -= count
        if sent < front.size { return false }
        messages.removeFirst()
        sent = 0
        return true
    }

    /// Drops what has not begun to be sent.
    mutating func dropUnsent() {
        if sent == 0 { return clear() }
        messages.removeLast(count - 1)
        bytes = front.size - sent
    }

    mutating func clear() { self = SendQueue() }

    /// Whether a message longer than `limit` bytes is waiting.
    func holdsMessage(longerThan limit: Int) -> Bool { messages.contains { $0.size > limit } }
}

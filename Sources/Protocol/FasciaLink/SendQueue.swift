/// Messages of one channel waiting to be sent, oldest first. Bodies are kept, not copied.
struct SendQueue: Sendable {
    struct Message: Sendable {
        let type: UInt16
        let body: [UInt8]

        /// Bytes on the wire without frame headers.
        var size: Int { 2 + body.count }
    }

    private var messages: [Message] = []
    private var head = 0
    /// Bytes of the oldest message already sent, its type included; 0 when it has not begun.
    private(set) var sent = 0
    /// Bytes waiting, message types included.
    private(set) var bytes = 0

    /// Messages waiting, an unfinished one included.
    var count: Int { messages.count - head }

    var isEmpty: Bool { head == messages.count }

    /// The oldest message; the caller asked `isEmpty` before.
    var front: Message { messages[head] }

    mutating func append(type: UInt16, body: [UInt8]) {
        if head > 32 && head > messages.count / 2 {
            messages.removeSubrange(..<head)
            head = 0
        }
        messages.append(Message(type: type, body: body))
        bytes += 2 + body.count
    }

    /// `count` more bytes of the oldest message were sent; true when that was its end.
    mutating func advance(_ count: Int) -> Bool {
        sent += count
        bytes -= count
        if sent < messages[head].size { return false }
        messages[head] = Message(type: 0, body: [])
        head += 1
        sent = 0
        if head == messages.count {
            messages.removeAll(keepingCapacity: true)
            head = 0
        }
        return true
    }

    /// Drops what has not begun to be sent.
    mutating func dropUnsent() {
        if sent == 0 { return clear() }
        messages = [messages[head]]
        head = 0
        bytes = front.size - sent
    }

    mutating func clear() { self = SendQueue() }

    /// Whether a message longer than `limit` bytes is waiting.
    func holdsMessage(longerThan limit: Int) -> Bool { messages[head...].contains { $0.size > limit } }
}

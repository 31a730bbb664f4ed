import DequeModule
import FasciaWire

/// Events waiting for the owner of a link. A message in here still holds the credit of its last bytes.
struct EventQueue: Sendable {
    struct Entry: Sendable {
        let event: LinkEvent
        /// The channel and how many bytes of credit go back when the event is taken; nil for what came with none.
        let owed: (slot: Int, credit: Int)?
    }

    private var entries: Deque<Entry> = []

    var isEmpty: Bool { entries.isEmpty }

    /// Bytes of the messages waiting.
    var bodyBytes: Int {
        entries.reduce(0) { sum, entry in
            if case .message(_, _, let body) = entry.event { sum + body.count } else { sum }
        }
    }

    mutating func append(_ event: LinkEvent, owed: (slot: Int, credit: Int)? = nil) { entries.append(Entry(event: event, owed: owed)) }

    /// Moves the messages of sound channels behind those of `other`.
    mutating func moveSound(to other: inout EventQueue) {
        func isSound(_ entry: Entry) -> Bool {
            guard case .message(let channel, _, _) = entry.event else { return false }
            return ChannelID.sound.contains(channel.rawValue)
        }
        other.entries += entries.filter(isSound)
        entries.removeAll(where: isSound)
    }

    mutating func next() -> Entry? { entries.popFirst() }
}

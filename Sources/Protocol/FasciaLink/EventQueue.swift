import FasciaWire

/// Events waiting for the owner of a link. A message in here still holds the credit of its last bytes.
struct EventQueue: Sendable {
    struct Entry: Sendable {
        let event: LinkEvent
        /// The channel and how many bytes of credit go back when the event is taken; 0 bytes for most events.
        let slot: Int
        let credit: Int
    }

    private var entries: [Entry] = []
    private var head = 0

    var isEmpty: Bool { head == entries.count }

    /// Bytes of the messages waiting.
    var bodyBytes: Int {
        entries[head...].reduce(0) { sum, entry in
            if case .message(_, _, let body) = entry.event { sum + body.count } else { sum }
        }
    }

    mutating func append(_ event: LinkEvent, slot: Int = 0, credit: Int = 0) {
        if head > 32 && head > entries.count / 2 {
            entries.removeSubrange(..<head)
            head = 0
        }
        entries.append(Entry(event: event, slot: slot, credit: credit))
    }

    /// Moves the messages of sound channels behind those of `other`.
    mutating func moveSound(to other: inout EventQueue) {
        func isSound(_ entry: Entry) -> Bool {
            if case .message(let channel, _, _) = entry.event { ChannelID.sound.contains(channel.rawValue) } else { false }
        }
        let waiting = entries[head...]
        guard waiting.contains(where: isSound) else { return }
        other.entries += waiting.filter(isSound)
        entries = waiting.filter { !isSound($0) }
        head = 0
    }

    mutating func next() -> Entry? {
        if head == entries.count { return nil }
        let entry = entries[head]
        entries[head] = Entry(event: .recovered(silence: 0), slot: 0, credit: 0) // lets go of the body
        head += 1
        if head == entries.count {
            entries.removeAll(keepingCapacity: true)
            head = 0
        }
        return entry
    }
}

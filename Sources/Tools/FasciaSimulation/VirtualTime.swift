/// What is to happen, in the order of a time that nobody waits for. Of two things at the same time the one that was asked for first comes first.
struct VirtualTime {
    private struct Entry {
        let at: UInt64
        let order: UInt64
        let body: () -> Void
        func precedes(_ other: Entry) -> Bool { at != other.at ? at < other.at : order < other.order }
    }

    /// Nanoseconds.
    private(set) var now: UInt64 = 1_000_000_000
    private var heap: [Entry] = []
    private var order: UInt64 = 0

    var next: UInt64? { heap.first?.at }

    mutating func add(at time: UInt64, _ body: @escaping () -> Void) {
        order += 1
        heap.append(Entry(at: max(now, time), order: order, body: body))
        var child = heap.count - 1
        while child > 0, heap[child].precedes(heap[(child - 1) / 2]) {
            heap.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// The next thing, with the clock set to its time; nil when nothing is to happen until `end`.
    mutating func take(until end: UInt64) -> (() -> Void)? {
        guard let first = heap.first, first.at <= end else {
            now = max(now, end)
            return nil
        }
        now = first.at
        let last = heap.removeLast()
        guard !heap.isEmpty else { return first.body }
        heap[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count && heap[child].precedes(heap[least]) { least = child }
            if least == parent { return first.body }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}

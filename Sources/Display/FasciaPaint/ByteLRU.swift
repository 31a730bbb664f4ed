/// A cache bounded in bytes that forgets what was used longest ago.
public struct ByteLRU<Key: Hashable, Value> {
    private struct Entry {
        var value: Value
        var cost: Int
        var used: UInt64
    }

    /// Bytes.
    public let capacity: Int
    public private(set) var bytes = 0
    private var clock: UInt64 = 0
    private var entries: [Key: Entry] = [:]

    public init(capacity: Int) { self.capacity = capacity }

    public var count: Int { entries.count }

    public mutating func value(for key: Key) -> Value? {
        guard let at = entries.index(forKey: key) else { return nil }
        clock += 1
        entries.values[at].used = clock
        return entries.values[at].value
    }

    /// A value costlier than a quarter of the cache is not kept.
    public mutating func insert(_ value: Value, for key: Key, cost: Int) {
        guard cost <= capacity / 4 else { return }
        clock += 1
        if let old = entries.updateValue(Entry(value: value, cost: cost, used: clock), forKey: key) { bytes -= old.cost }
        bytes += cost
        if bytes > capacity { trim() }
    }

    public mutating func removeAll() {
        entries.removeAll()
        bytes = 0
    }

    /// Drops the oldest entries until a quarter is free, so that this sort is rare.
    private mutating func trim() {
        for (key, entry) in entries.sorted(by: { $0.value.used < $1.value.used }) {
            guard bytes > capacity * 3 / 4 else { return }
            bytes -= entry.cost
            entries.removeValue(forKey: key)
        }
    }
}

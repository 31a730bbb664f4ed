import FasciaEvents

/// What happened in this cycle and the one before, for the report of a violation.
struct Timeline {
    private var entries: [(time: UInt64, who: String, text: String)] = []
    private var marks: [Int] = []

    mutating func add(_ who: String, _ text: String, at time: UInt64 = MonotonicClock.now()) { entries.append((time, who, text)) }

    /// A cycle begins: what is older than two cycles is dropped.
    mutating func beginCycle() {
        marks.append(entries.count)
        guard marks.count > 2 else { return }
        let gone = marks.removeFirst()
        entries.removeFirst(gone)
        marks = marks.map { $0 - gone }
    }

    /// Lines in order of time, milliseconds since the first one before them.
    var text: [String] {
        let sorted = entries.sorted { $0.time < $1.time }
        guard let start = sorted.first?.time else { return [] }
        return sorted.map { entry in
            let microseconds = (entry.time - start) / 1000
            let time = "\(microseconds / 1000).\(String(microseconds % 1000 + 1000).dropFirst())"
            return String(repeating: " ", count: max(0, 10 - time.count)) + time + "  " + entry.who
                + String(repeating: " ", count: max(1, 10 - entry.who.count)) + entry.text
        }
    }
}

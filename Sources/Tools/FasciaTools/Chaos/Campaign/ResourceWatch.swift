/// Descriptors and memory of one program from cycle to cycle. Compared at moments of the same kind: all quiet, so many apps running.
struct ResourceWatch {
    /// Descriptors that may be more than ever before at such a moment: a race's loser that is just being closed.
    static let slack = 6
    /// Growth of memory after the first cycles that is taken for a leak, bytes.
    static let growth = 96 << 20
    private static let settling = 8

    private var least: [Int: Int] = [:]
    private var readings = 0
    private var settled = 0
    private(set) var mostDescriptors = 0
    private(set) var mostMemory = 0

    /// - Returns: what has grown too much, nil when nothing has.
    mutating func note(descriptors: Int, memory: Int, apps: Int) -> String? {
        readings += 1
        mostDescriptors = max(mostDescriptors, descriptors)
        mostMemory = max(mostMemory, memory)
        if readings <= Self.settling {
            settled = max(settled, memory)
        } else if memory > settled + Self.growth {
            return "memory grew from \(settled >> 20) to \(memory >> 20) MiB over \(readings) cycles"
        }
        let before = least[apps] ?? descriptors
        least[apps] = min(before, descriptors)
        return descriptors > before + Self.slack ? "\(descriptors) open descriptors with \(apps) apps running, \(before) before" : nil
    }
}

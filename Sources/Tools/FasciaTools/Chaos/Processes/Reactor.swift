import FasciaEvents
import Foundation

/// Waits for descriptors, on one thread: a worker's proxy, consoles and event pipes all live on the thread of that worker, so
/// nothing here is locked and what happens between two looks at the world is known.
final class Reactor {
    /// A descriptor of interest; the owner changes what it waits for as it goes.
    final class Source {
        let descriptor: Int32
        var wantsReading = true
        var wantsWriting = false
        fileprivate let ready: (_ readable: Bool, _ writable: Bool) -> Void
        fileprivate var isRemoved = false

        fileprivate init(_ descriptor: Int32, _ ready: @escaping (Bool, Bool) -> Void) { (self.descriptor, self.ready) = (descriptor, ready) }
    }

    private var sources: [Source] = []
    private var timers: [(at: UInt64, run: () -> Void)] = []
    /// Runs at least every 5 ms: what no descriptor tells, such as the end of a process.
    var onTick: () -> Void = {}
    /// True ends every wait at once.
    var isInterrupted: () -> Bool = { false }

    func add(_ descriptor: Int32, ready: @escaping (_ readable: Bool, _ writable: Bool) -> Void) -> Source {
        let source = Source(descriptor, ready)
        sources.append(source)
        return source
    }

    func remove(_ source: Source) {
        source.isRemoved = true
        sources.removeAll { $0 === source }
    }

    func after(milliseconds: Int, _ run: @escaping () -> Void) {
        timers.append((MonotonicClock.now() + UInt64(milliseconds) * 1_000_000, run))
    }

    /// Serves everything until `condition` holds.
    /// - Returns: false when it does not after `seconds`, or when interrupted.
    @discardableResult
    func run(within seconds: Double, until condition: () -> Bool = { false }) -> Bool {
        let deadline = MonotonicClock.now() + UInt64(seconds * 1e9)
        while true {
            if condition() { return true }
            let now = MonotonicClock.now()
            guard now < deadline, !isInterrupted() else { return false }
            turn(atMost: min(deadline - now, 5_000_000))
        }
    }

    private func turn(atMost nanoseconds: UInt64) {
        let watched = sources.filter { $0.wantsReading || $0.wantsWriting }
        var polled = watched.map { pollfd(fd: $0.descriptor, events: Int16(($0.wantsReading ? POLLIN : 0) | ($0.wantsWriting ? POLLOUT : 0)), revents: 0) }
        let next = timers.map(\.at).min() ?? .max, now = MonotonicClock.now()
        let wait = min(nanoseconds, next > now ? next - now : 0)
        if poll(&polled, nfds_t(polled.count), Int32((wait + 999_999) / 1_000_000)) > 0 {
            for (source, result) in zip(watched, polled) where result.revents != 0 && !source.isRemoved {
                let bits = Int32(result.revents), ended = bits & (POLLHUP | POLLERR) != 0
                source.ready(bits & POLLIN != 0 || ended && source.wantsReading, bits & POLLOUT != 0 || ended && source.wantsWriting)
            }
        }
        let due = MonotonicClock.now()
        let run = timers.filter { $0.at <= due }
        timers.removeAll { $0.at <= due }
        for timer in run { timer.run() }
        onTick()
    }
}

/// Collects bytes into lines.
struct LineCutter {
    private var rest: [UInt8] = []

    mutating func take(_ bytes: some Sequence<UInt8>) -> [String] {
        rest += bytes
        guard let last = rest.lastIndex(of: UInt8(ascii: "\n")) else { return [] }
        let lines = rest[..<last].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true).map { String(decoding: $0, as: UTF8.self) }
        rest.removeSubrange(...last)
        return lines
    }
}

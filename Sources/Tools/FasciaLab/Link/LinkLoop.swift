import CLabSystem
import Foundation

/// Carries packets between the two TAP devices through the emulation, on a thread of its own, until told to stop.
///
/// One thread does all of it, before every ordinary one of the machine where that is allowed: a packet is late by what
/// the wake-up of this thread takes.
final class LinkLoop: @unchecked Sendable { // used by its thread only, but for `stop`
    private var emulation: LinkEmulation
    private let taps: [Int32]
    private let control: ControlServer
    private let log: @Sendable (String) -> Void
    private var buffer = [UInt8](repeating: 0, count: 65_536)
    private var gone: Set<Int> = []
    private var worstLateness: UInt64 = 0
    /// How late the kernel wakes this thread, nanoseconds, a running mean: it sleeps that much less and looks at the clock for the rest.
    private var wakeLateness: Int64 = 50_000
    private let stopPipe: (read: Int32, write: Int32)
    private let ended = DispatchSemaphore(value: 0)

    /// Packets taken from one device before the other gets its turn.
    private static let batch = 64
    /// Longest time to look at the clock instead of sleeping, nanoseconds.
    private static let longestWatch: Int64 = 150_000

    /// - Parameters:
    ///   - taps: devices of car and phone.
    init(taps: [Int32], control: ControlServer, seed: UInt64, log: @escaping @Sendable (String) -> Void) throws(LabError) {
        var ends: [Int32] = [0, 0]
        guard fascia_pipe(&ends) == 0 else { throw .system("cannot make a pipe") }
        stopPipe = (ends[0], ends[1])
        (self.taps, self.control, self.log) = (taps, control, log)
        emulation = LinkEmulation(seed: seed)
    }

    func start() {
        let thread = Thread { [self] in
            if fascia_thread_urgent() != 0 { log("no real-time priority (\(String(cString: strerror(errno)))): packets may be late when the machine is busy") }
            run()
            ended.signal()
        }
        thread.name = "lab-link"
        thread.start()
    }

    /// Returns when no packet moves any more.
    func stop() {
        _ = write(stopPipe.write, "x", 1)
        ended.wait()
    }

    static func now() -> UInt64 { clock_gettime_nsec_np() }

    private static func clock_gettime_nsec_np() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    private func run() {
        while true {
            deliver()
            var descriptors = [pollfd(fd: stopPipe.read, events: Int16(POLLIN), revents: 0)]
            descriptors += taps.indices.map { pollfd(fd: gone.contains($0) ? -1 : taps[$0], events: Int16(POLLIN), revents: 0) }
            descriptors += control.descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            let before = Self.now()
            let wait = emulation.deadline.map { $0 > before ? max(0, Int64(clamping: $0 - before) - wakeLateness) : 0 }
            let ready = fascia_poll(&descriptors, descriptors.count, wait ?? -1)
            guard ready >= 0 || errno == EINTR else { return log("poll: \(String(cString: strerror(errno)))") }
            if ready == 0, let wait, wait > 0 {
                let late = Int64(Self.now() - before) - wait
                wakeLateness = min(Self.longestWatch, max(0, wakeLateness + (late - wakeLateness) / 8))
            }
            deliver() // what was due before what has just come
            if descriptors[0].revents != 0 { return }
            // A packet that woke this thread was sent before it woke: what waking takes is not part of the link.
            let woken = Self.now()
            let sent = wait == 0 ? woken : max(before, woken - UInt64(wakeLateness))
            for index in taps.indices where descriptors[1 + index].revents != 0 { receive(index, sent: sent) }
            for entry in descriptors.dropFirst(1 + taps.count) where entry.revents != 0 {
                control.ready(entry.fd) { [self] in answer($0) }
            }
        }
    }

    // MARK: Packets

    private func deliver() {
        while true {
            let now = Self.now()
            guard let delivery = emulation.next(now: now) else { return }
            worstLateness = max(worstLateness, now - delivery.due)
            let tap = taps[delivery.toward == .car ? 0 : 1]
            if write(tap, delivery.packet, delivery.packet.count) < 0 { emulation.refused(toward: delivery.toward) }
        }
    }

    private func receive(_ index: Int, sent: UInt64) {
        for _ in 0..<Self.batch {
            let count = read(taps[index], &buffer, buffer.count)
            guard count > 0 else {
                if errno != EAGAIN, errno != EINTR {
                    log("the device of the \(index == 0 ? "car" : "phone") is gone: \(String(cString: strerror(errno)))")
                    gone.insert(index)
                }
                return
            }
            emulation.accept(Array(buffer[..<count]), toward: index == 0 ? .phone : .car, now: sent)
        }
    }

    // MARK: Control

    private func answer(_ line: Substring) -> ControlAnswer {
        do throws(LinkCommand.Wrong) { return apply(try LinkCommand(line: line)) } catch { return .error(error.reason) }
    }

    private func change(_ toward: LabHost?, _ change: (inout LinkSettings) -> Void) -> ControlAnswer {
        for host in toward.map({ [$0] }) ?? LabHost.allCases { change(&emulation[toward: host]) }
        return .ok
    }

    private func apply(_ command: LinkCommand) -> ControlAnswer {
        let now = Self.now()
        switch command {
        case .delay(let delay, let jitter, let toward):
            return change(toward) {
                $0.delay = delay
                $0.jitter = jitter ?? 0
            }
        case .loss(let loss, let toward): return change(toward) { $0.loss = loss }
        case .rate(let rate, let queue, let toward):
            return change(toward) {
                $0.rate = rate
                if let queue { $0.queue = queue }
            }
        case .reorder(let reorders, let toward): return change(toward) { $0.reorders = reorders }
        case .seed(let seed): emulation.seed(seed)
        case .cut(let length): return .json(Outage(start: now, end: emulation.cut(for: length, now: now)))
        case .restore:
            emulation.restore(now: now)
            return .json(["restored_ns": now])
        case .carrier(let host, let on):
            guard fascia_tap_carrier(taps[host == .car ? 0 : 1], on ? 1 : 0) == 0 else { return .error("carrier: \(String(cString: strerror(errno)))") }
            emulation.setPlugged(host, on)
            return .json(["changed_ns": now])
        case .gaps(let pattern):
            emulation.setGaps(pattern, now: now)
            return .json(["from_ns": now])
        case .stats(let reset):
            var statistics = emulation.statistics(now: now)
            statistics.worstLateness = worstLateness
            if reset {
                emulation.resetStatistics()
                worstLateness = 0
            }
            return .json(statistics)
        case .settings:
            return .json(["toward_car": emulation[toward: .car], "toward_phone": emulation[toward: .phone]])
        case .status: return .status
        case .enter(let host): return .enter(host)
        case .quit: return .quit
        }
        return .ok
    }
}

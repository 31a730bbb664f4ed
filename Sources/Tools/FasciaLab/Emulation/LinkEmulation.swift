import FasciaLink
import HeapModule

/// The link between the two hosts, without devices and clock: packets go in with the time they were sent at and come out
/// when they arrive. Times are nanoseconds and do not go back.
///
///     accept --> cut? --> loss? --> queue, rate --> delay, jitter --> cut when due? --> next
///
/// A packet meets a cut when it is sent and when it is due: what is in flight when the cable is pulled is lost too.
/// The same seed and the same packets lose the same ones.
public struct LinkEmulation {
    public struct Delivery: Equatable {
        public let packet: [UInt8]
        public let toward: LabHost
        /// When it arrives; at or before the time asked for.
        public let due: UInt64
    }

    private struct Flight: Comparable {
        let due: UInt64
        let sequence: UInt64
        let toward: LabHost
        let packet: [UInt8]

        static func < (left: Flight, right: Flight) -> Bool { (left.due, left.sequence) < (right.due, right.sequence) }
        static func == (left: Flight, right: Flight) -> Bool { left.sequence == right.sequence }
    }

    private struct Direction {
        var settings = LinkSettings()
        var statistics = DirectionStatistics()
        var random: SeededGenerator
        /// When `rate` has sent all that waits.
        var busyUntil: UInt64 = 0
        var lastDue: UInt64 = 0
    }

    /// Bytes in flight at most, both ways together: a delay of seconds on a fast link must not eat the machine.
    static let flightLimit = 64 << 20
    static let outagesKept = 4096

    private var directions: [Direction]
    private var flights = Heap<Flight>()
    private var bytesInFlight = 0
    private var sequence: UInt64 = 0
    private var gaps: GapSchedule?
    /// The last one; stays when it is over, for packets that were due in it.
    private var cut: Range<UInt64>?
    private var cutIsNoted = true
    private var unplugged: Set<LabHost> = []
    private var outages: [Outage] = []
    private var outageCount: UInt64 = 0

    public init(seed: UInt64 = 1) {
        directions = Self.directions(seed: seed)
    }

    private static func directions(seed: UInt64) -> [Direction] {
        // Random numbers of their own: what goes one way does not change what is lost the other way.
        LabHost.allCases.indices.map { Direction(random: SeededGenerator(seed: seed &+ UInt64($0) &* 0x5851_f42d_4c95_7f2d)) }
    }

    private static func index(_ host: LabHost) -> Int { host == .car ? 0 : 1 }

    // MARK: Settings

    /// For packets to come; those in flight arrive as they would have.
    public subscript(toward host: LabHost) -> LinkSettings {
        get { directions[Self.index(host)].settings }
        set { directions[Self.index(host)].settings = newValue }
    }

    /// Starts the random numbers of loss and jitter again.
    public mutating func seed(_ seed: UInt64) {
        let fresh = Self.directions(seed: seed)
        for index in directions.indices { directions[index].random = fresh[index].random }
    }

    /// Drops everything both ways, for `length` or until `restore`. A cut replaces one that lasts.
    /// - Returns: when it ends; nil for until `restore`.
    @discardableResult
    public mutating func cut(for length: UInt64?, now: UInt64) -> UInt64? {
        endCut(at: now)
        cut = now..<(length.map { now + max(1, $0) } ?? .max)
        cutIsNoted = false
        return length.map { now + max(1, $0) }
    }

    public mutating func restore(now: UInt64) { endCut(at: now) }

    private mutating func endCut(at now: UInt64) {
        guard let cut, !cutIsNoted else { return }
        let ended = cut.lowerBound..<max(cut.lowerBound, min(cut.upperBound, now))
        note([ended])
        self.cut = ended
        cutIsNoted = true
    }

    /// A host whose cable is out neither sends nor receives. Its kernel stops sending only some time after it was told.
    public mutating func setPlugged(_ host: LabHost, _ isPlugged: Bool) {
        if isPlugged { unplugged.remove(host) } else { unplugged.insert(host) }
    }

    /// Gaps from now on; nil ends them.
    public mutating func setGaps(_ pattern: GapPattern?, now: UInt64) {
        if var old = gaps {
            if old.covers(now) { note(old.takePassed() + [old.gap.lowerBound..<now]) } else { note(old.takePassed()) }
        }
        gaps = pattern.map { GapSchedule($0, from: now) }
    }

    private mutating func note(_ ended: [Range<UInt64>]) {
        outageCount += UInt64(ended.count)
        outages += ended.map { Outage(start: $0.lowerBound, end: $0.upperBound) }
        if outages.count > Self.outagesKept { outages.removeFirst(outages.count - Self.outagesKept) }
    }

    private mutating func isCut(at time: UInt64) -> Bool {
        if let cut, time >= cut.upperBound { endCut(at: time) }
        let inGap = gaps?.covers(time) ?? false
        if gaps?.passed.isEmpty == false, let passed = gaps?.takePassed() { note(passed) }
        return inGap || cut?.contains(time) == true || !unplugged.isEmpty
    }

    // MARK: Packets

    /// A packet sent by the other host than `host`.
    public mutating func accept(_ packet: [UInt8], toward host: LabHost, now: UInt64) {
        let cut = isCut(at: now)
        let index = Self.index(host)
        directions[index].statistics.packets += 1
        directions[index].statistics.bytes += UInt64(packet.count)
        let settings = directions[index].settings
        // Asked for also during a cut, so that loss does not depend on the times of cuts.
        let unlucky = settings.loss > 0 && Double.random(in: 0..<1, using: &directions[index].random) < settings.loss
        guard !cut else { return directions[index].statistics.lostInCuts += 1 }
        guard !unlucky else { return directions[index].statistics.lostAtRandom += 1 }
        guard let departure = departure(of: packet.count, index: index, now: now), bytesInFlight + packet.count <= Self.flightLimit else {
            return directions[index].statistics.lostToQueue += 1
        }
        var due = departure + settings.delay
        if settings.jitter > 0 {
            let early = min(settings.jitter, settings.delay)
            due = due - early + UInt64.random(in: 0...(early + settings.jitter), using: &directions[index].random)
        }
        if !settings.reorders { due = max(due, directions[index].lastDue) }
        directions[index].lastDue = max(due, directions[index].lastDue)
        sequence += 1
        bytesInFlight += packet.count
        directions[index].statistics.waiting += 1
        flights.insert(Flight(due: due, sequence: sequence, toward: host, packet: packet))
    }

    /// When the last bit has left the queue; nil when the queue is full.
    private mutating func departure(of count: Int, index: Int, now: UInt64) -> UInt64? {
        guard let rate = directions[index].settings.rate, rate > 0 else { return now }
        let start = max(now, directions[index].busyUntil)
        let queued = Double(start - now) * Double(rate) / 8e9
        guard queued + Double(count) <= Double(max(directions[index].settings.queue, count)) else { return nil }
        let end = start + UInt64(Double(count) * 8e9 / Double(rate))
        directions[index].busyUntil = end
        return end
    }

    /// The next packet that has arrived by `now`.
    public mutating func next(now: UInt64) -> Delivery? {
        while let flight = flights.min, flight.due <= now {
            flights.removeMin()
            bytesInFlight -= flight.packet.count
            let cut = isCut(at: flight.due)
            let index = Self.index(flight.toward)
            directions[index].statistics.waiting -= 1
            guard !cut else {
                directions[index].statistics.lostInCuts += 1
                continue
            }
            directions[index].statistics.delivered += 1
            return Delivery(packet: flight.packet, toward: flight.toward, due: flight.due)
        }
        return nil
    }

    /// When `next` should be asked; nil when nothing is in flight.
    public var deadline: UInt64? { flights.min?.due }

    /// The receiving device did not take a delivery.
    public mutating func refused(toward host: LabHost) {
        directions[Self.index(host)].statistics.delivered -= 1
        directions[Self.index(host)].statistics.refused += 1
    }

    public mutating func statistics(now: UInt64) -> LinkStatistics {
        var statistics = LinkStatistics()
        statistics.isCut = isCut(at: now)
        (statistics.towardCar, statistics.towardPhone) = (directions[0].statistics, directions[1].statistics)
        (statistics.outages, statistics.outageCount) = (outages, outageCount)
        return statistics
    }

    public mutating func resetStatistics() {
        for index in directions.indices {
            let waiting = directions[index].statistics.waiting
            directions[index].statistics = DirectionStatistics()
            directions[index].statistics.waiting = waiting
        }
        (outages, outageCount) = ([], 0)
    }
}

import FasciaFraming
import FasciaLink
import FasciaWire

/// Two link machines and the path between them, in virtual time: nothing here waits.
struct Pair {
    enum End { case phone, car }

    /// What happens to the path when its bytes have run out.
    enum Cut: CaseIterable {
        /// Both ends learn it from the transport.
        case reset
        /// Bytes vanish, both ways; nobody is told.
        case silence
        /// The path is silent one way only.
        case oneWay
    }

    struct Path {
        var latency: UInt64 = ms(2)
        var jitter: UInt64 = 0
        /// Longest piece delivered at once, in bytes.
        var largestChunk = 4_096
        /// Most bytes an end hands over at once.
        var socketRoom = 16_384
    }

    private struct Flight {
        let at: LinkInstant
        let bytes: ArraySlice<UInt8>
    }

    var phone: LinkMachine
    var car: LinkMachine
    var path: Path
    var now: LinkInstant
    private var random: SeededGenerator
    private var toCar: [Flight] = []
    private var toPhone: [Flight] = []
    /// Bytes handed over so far.
    private(set) var carried: (toCar: Int, toPhone: Int) = (0, 0)
    /// How many bytes from `end` still arrive before the path is cut.
    var cutAfter: (end: End, bytes: Int, how: Cut)?
    private(set) var isCut = false
    private var ended: (phone: Bool, car: Bool) = (false, false)

    init(phone: LinkMachine, car: LinkMachine, path: Path = Path(), seed: UInt64 = 1, now: LinkInstant = start) {
        self.phone = phone
        self.car = car
        self.path = path
        self.now = now
        random = SeededGenerator(seed: seed)
    }

    /// Runs until both ends are closed, `until` is reached, or `stop` says so.
    /// - Parameter handle: gets every event with the machine it came from, to answer.
    mutating func run(until end: LinkInstant, handle: (End, LinkEvent, inout LinkMachine, LinkInstant) -> Void, stop: (Pair) -> Bool = { _ in false }) {
        while now <= end {
            events(handle)
            send()
            if stop(self) || phone.isClosed && car.isClosed && toCar.isEmpty && toPhone.isEmpty { return }
            let times = [toCar.first?.at, toPhone.first?.at, phone.nextDeadline, car.nextDeadline].compactMap { $0 }
            guard let next = times.min(), next <= end else {
                now = end
                return
            }
            now = max(now, next)
            deliver()
            if let deadline = phone.nextDeadline, deadline <= now { phone.deadlineReached(now: now) }
            if let deadline = car.nextDeadline, deadline <= now { car.deadlineReached(now: now) }
        }
    }

    private mutating func events(_ handle: (End, LinkEvent, inout LinkMachine, LinkInstant) -> Void) {
        while let event = phone.nextEvent() { handle(.phone, event, &phone, now) }
        while let event = car.nextEvent() { handle(.car, event, &car, now) }
    }

    private mutating func send() {
        var bytes: [UInt8] = []
        while phone.transmit(upTo: path.socketRoom, into: &bytes, now: now) > 0 {}
        launch(bytes, from: .phone)
        bytes = []
        while car.transmit(upTo: path.socketRoom, into: &bytes, now: now) > 0 {}
        launch(bytes, from: .car)
        // An end that closed lets go of the transport once its last bytes are out.
        if phone.isClosed && !ended.phone { ended.phone = true }
        if car.isClosed && !ended.car { ended.car = true }
    }

    private mutating func launch(_ bytes: [UInt8], from end: End) {
        var rest = bytes[...]
        if let cut = cutAfter, isCut, cut.how != .oneWay || cut.end == end { return }
        if let cut = cutAfter, cut.end == end, !isCut {
            let before = end == .phone ? carried.toCar : carried.toPhone
            let room = max(0, cut.bytes - before)
            if rest.count >= room {
                rest = rest.prefix(room)
                isCut = true
            }
        }
        if end == .phone { carried.toCar += rest.count } else { carried.toPhone += rest.count }
        var flights = end == .phone ? toCar : toPhone
        while !rest.isEmpty {
            let size = Int.random(in: 1...max(1, path.largestChunk), using: &random)
            let delay = path.latency + (path.jitter == 0 ? 0 : UInt64.random(in: 0...path.jitter, using: &random))
            let at = max(now.advanced(by: delay), flights.last?.at ?? 0)
            flights.append(Flight(at: at, bytes: rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        if end == .phone { toCar = flights } else { toPhone = flights }
        if isCut, cutAfter?.how == .reset { resetAt = resetAt ?? now.advanced(by: path.latency) }
    }

    private var resetAt: LinkInstant?

    private mutating func deliver() {
        while let flight = toCar.first, flight.at <= now {
            car.receive(Array(flight.bytes), now: now)
            toCar.removeFirst()
        }
        while let flight = toPhone.first, flight.at <= now {
            phone.receive(Array(flight.bytes), now: now)
            toPhone.removeFirst()
        }
        if let resetAt, resetAt <= now, toCar.isEmpty {
            car.transportEnded(.reset, now: now)
            phone.transportEnded(.fin, now: now)
        }
        // FIN after CLOSE.
        if ended.phone && toCar.isEmpty { car.transportEnded(.fin, now: now) }
        if ended.car && toPhone.isEmpty { phone.transportEnded(.fin, now: now) }
    }
}

extension LinkInstant {
    fileprivate func advanced(by nanoseconds: UInt64) -> LinkInstant { self + nanoseconds }
}

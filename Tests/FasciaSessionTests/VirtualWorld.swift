import FasciaLink
import FasciaSession
import FasciaWire
import Foundation

/// Both ends' session machines over as many pairs of link machines as they ask for, in virtual time, on a path that fails.
/// TCP is what matters of it here: bytes arrive in order, and what was lost is sent again after 0.2 s, 0.4 s, 0.8 s…
struct VirtualWorld {
    static let ms: UInt64 = 1_000_000

    /// When the path carries packets.
    struct Weather {
        /// Sorted; nothing gets through in them.
        var gaps: [Range<UInt64>] = []
        /// Of each packet.
        var loss = 0.0

        static func gaps(of length: ClosedRange<UInt64>, every pause: ClosedRange<UInt64>, until end: UInt64, seed: UInt64) -> Weather {
            var generator = SeededGenerator(seed: seed), weather = Weather(), at: UInt64 = 2_000 * ms
            while at < end {
                let length = UInt64.random(in: length, using: &generator) * ms
                weather.gaps.append(at..<at + length)
                at += length + UInt64.random(in: pause, using: &generator) * ms
            }
            return weather
        }
    }

    struct Flight {
        let at: UInt64
        let bytes: [UInt8]
    }

    struct Connection {
        /// The car's number of it.
        let carLink: LinkID
        var phone: LinkMachine
        var car: LinkMachine
        var toCar: [Flight] = []
        var toPhone: [Flight] = []
        var isUp = false
        /// The phone has broken it off: what the car says goes nowhere.
        var isAbandoned = false
        /// A Hello that was told to wait.
        var waiting: (hello: Hello, until: UInt64)?
        var finAtCar: UInt64?, finAtPhone: UInt64?
    }

    struct Dial {
        var next: UInt64
        let interval: UInt64
        var established: UInt64?
        var isTaken = false
        /// From when on another connection may take the flight over, as its carrier has said nothing (`DialRace`).
        var doubtedAt: UInt64 = .max
        var patience = 100 * VirtualWorld.ms
        var hello = Hello()
    }

    let weather: Weather
    let latency: UInt64 = 2 * ms
    var now: UInt64 = 0
    var phone: PhoneSessionMachine
    var car = CarSessionMachine<Void>(grace: 10_000 * ms)
    var random: SeededGenerator
    var connections: [LinkID: Connection] = [:]
    var dials: [LinkID: Dial] = [:]
    var tokens: UInt8 = 0
    var abandoned = 0
    var lastCarLink: UInt64 = 0
    var frozenSince: UInt64?

    /// Sessions that ended, at either end, and what else happened.
    var ends: [String] = []
    /// - frozen: notices of a lost connection that the driver saw.
    var attached = 0, frozen = 0, late = 0, recalled = 0, tookOver = 0

    init(_ weather: Weather, seed: UInt64) {
        self.weather = weather
        random = SeededGenerator(seed: seed)
        phone = PhoneSessionMachine(generator: SeededGenerator(seed: seed &+ 1))
    }

    /// Both ends have the session on one connection.
    var agree: Bool { phone.link != nil && phone.link == car.link.flatMap { link(ofCar: $0) } }

    func link(ofCar carLink: LinkID) -> LinkID? { connections.first { $0.value.carLink == carLink }?.key }

    mutating func run(until end: UInt64) {
        if now == 0 { perform(phone.start(now: now)) }
        while now < end {
            settle()
            let times = connections.values.flatMap { [$0.isAbandoned ? nil : $0.phone.nextDeadline, $0.car.nextDeadline, $0.toCar.first?.at, $0.isAbandoned ? nil : $0.toPhone.first?.at, $0.waiting?.until, $0.finAtCar, $0.finAtPhone] }
                + dials.values.flatMap { [$0.isTaken ? ($0.doubtedAt == .max ? nil : max($0.next, $0.doubtedAt)) : $0.next, $0.isTaken ? nil : $0.established] } + [phone.nextDeadline, car.nextDeadline]
            now = max(now + 1, min(end, times.compactMap(\.self).min() ?? end))
            advance()
        }
    }

    // MARK: The path

    private func isUp(_ time: UInt64) -> Bool {
        var low = 0, high = weather.gaps.count
        while low < high {
            let middle = (low + high) / 2
            if weather.gaps[middle].upperBound <= time { low = middle + 1 } else { high = middle }
        }
        return low == weather.gaps.count || !weather.gaps[low].contains(time)
    }

    mutating func passes(_ time: UInt64) -> Bool { isUp(time) && Double.random(in: 0..<1, using: &random) >= weather.loss }

    mutating func arrival(after last: UInt64?) -> UInt64 {
        var attempt = now, wait = 200 * Self.ms
        while !passes(attempt) {
            attempt += wait
            wait *= 2
        }
        return max(attempt + latency, last ?? 0)
    }

    private mutating func advance() {
        for link in connections.keys.sorted() {
            guard var connection = connections[link] else { continue }
            while let flight = connection.toCar.first, flight.at <= now {
                connection.car.receive(flight.bytes, now: now)
                connection.toCar.removeFirst()
            }
            while !connection.isAbandoned, let flight = connection.toPhone.first, flight.at <= now {
                connection.phone.receive(flight.bytes, now: now)
                connection.toPhone.removeFirst()
            }
            if let at = connection.finAtCar, at <= now { connection.car.transportEnded(.fin, now: now) }
            if let at = connection.finAtPhone, at <= now { connection.phone.transportEnded(.fin, now: now) }
            if !connection.isAbandoned, let at = connection.phone.nextDeadline, at <= now { connection.phone.deadlineReached(now: now) }
            if let at = connection.car.nextDeadline, at <= now { connection.car.deadlineReached(now: now) }
            connections[link] = connection
        }
        for link in dials.keys.sorted() {
            guard var dial = dials[link] else { continue }
            if dial.isTaken {
                // What the peer's kernel has acknowledged waits for its process.
                let isAcknowledged = connections[link]?.toCar.isEmpty == true
                guard now >= max(dial.next, dial.doubtedAt + (isAcknowledged ? 5 * dial.patience : 0)) else {
                    if now >= max(dial.next, dial.doubtedAt) { dials[link]?.next = now + dial.interval }
                    continue
                }
                dials[link]?.next = now + dial.interval
                if passes(now), passes(now + latency) { moveFlight(link) }
                continue
            }
            if dial.next <= now {
                dial.next = now + dial.interval
                if passes(now), passes(now + latency), dial.established == nil { dial.established = now + 2 * latency }
            }
            dials[link] = dial
            if let at = dial.established, at <= now { takeFlight(link) }
        }
        perform(phone.deadlineReached(now: now))
        perform(car.deadlineReached(now: now).actions)
    }

    private mutating func takeFlight(_ link: LinkID) {
        dials[link]?.isTaken = true
        dials[link]?.doubtedAt = now + 100 * Self.ms
        var hello = Hello()
        hello.versionMin = 1
        hello.versionMax = 1
        hello.name = "phone"
        if let ticket = phone.ticket {
            hello.resume.sessionID = Data(ticket.session)
            hello.resume.token = Data(ticket.token)
        }
        dials[link]?.hello = hello
        connect(link, hello)
    }

    private mutating func connect(_ link: LinkID, _ hello: Hello) {
        lastCarLink += 1
        connections[link] = Connection(carLink: LinkID(rawValue: lastCarLink), phone: LinkMachine(configuration: LinkConfiguration(role: .phone(hello)), now: now),
                                       car: LinkMachine(configuration: LinkConfiguration(role: .headUnit), now: now))
    }

    /// The carrier has said nothing, and another connection stands: it is broken off by a reset, which may be lost as well.
    private mutating func moveFlight(_ link: LinkID) {
        guard var dial = dials[link], var old = connections[link], !old.isUp else { return }
        dial.patience *= 2
        dial.doubtedAt = now + 2 * latency + dial.patience
        dials[link] = dial
        abandoned += 1
        old.isAbandoned = true
        old.toCar.removeAll { $0.at > now + latency } // lost so far
        old.finAtCar = passes(now) ? now + latency : now + 2_000 * Self.ms
        connections[LinkID(rawValue: 1 << 32 + UInt64(abandoned))] = old
        connect(link, dial.hello)
    }
}

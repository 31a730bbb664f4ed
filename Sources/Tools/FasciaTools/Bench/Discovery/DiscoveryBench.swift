import FasciaDiscovery
import FasciaEvents
import FasciaProcesses

/// Announces cars, one after the other, to a browser that waits.
struct DiscoveryBench {
    let options: DiscoveryOptions
    /// Longer than anything measured here takes.
    private static let limit = Duration.seconds(10)

    func run(_ runs: Int) async throws -> DiscoveryReport {
        var seen: [UInt64] = [], again: [UInt64] = [], query: [UInt64] = []
        let browser = Browser(options: options)
        try browser.start()
        defer { browser.stop() }
        let sightings = Sightings(browser.events)
        while browser.backend == nil { try await Task.sleep(for: .milliseconds(10)) } // a phone that waits has begun to
        try await settle()
        for run in 0..<runs {
            // Out of step with the browser's own queries, which come at doubling intervals.
            try await Task.sleep(for: .milliseconds(Int64.random(in: 50...400)))
            let key = (0..<32).map { _ in UInt8.random(in: .min ... .max) }
            let port = UInt16(10_000 + run)
            let car = Advertisement(name: "Bench", port: port, fingerprint: key, pairing: false)
            var start = MonotonicClock.now()
            let advertiser = Advertiser(car, options: options)
            try advertiser.start()
            seen.append(try await sightings.time(of: car.instance, at: port, within: Self.limit) - start)

            // Once the name is claimed nobody but its responder answers.
            let claimed = ContinuousClock.now + Self.limit
            while advertiser.establishedName == nil, ContinuousClock.now < claimed { try await Task.sleep(for: .milliseconds(20)) }
            guard let answer = await UnicastQuery.ask(car.instance, options: options, within: Self.limit) else {
                throw ToolError("nobody answered the direct question for \(car.instance)")
            }
            query.append(answer.roundTrip)

            var moved = car
            moved.port = port + 20_000
            start = MonotonicClock.now()
            advertiser.update(moved)
            again.append(try await sightings.time(of: car.instance, at: moved.port, within: Self.limit) - start)
            advertiser.stop()
        }
        guard let seen = Percentiles(nanoseconds: seen), let again = Percentiles(nanoseconds: again), let query = Percentiles(nanoseconds: query) else {
            throw ToolError("nothing was measured")
        }
        return DiscoveryReport(runs: runs, backend: browser.backend?.rawValue ?? "none", seen: seen, again: again, query: query)
    }

    /// A daemon that was started just now claims the name of its host for 0.75 s (RFC 6762, 8.1), and takes no services until then. That
    /// is part of its start and not of a car's: the first run would measure it.
    private func settle() async throws {
        let first = Advertiser(Advertisement(name: "Bench", port: 9, fingerprint: [UInt8](repeating: 0, count: 32), pairing: false), options: options)
        try first.start()
        defer { first.stop() }
        let limit = ContinuousClock.now + Self.limit
        while first.establishedName == nil {
            guard ContinuousClock.now < limit else { throw ToolError("nothing can be announced here") }
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}

/// When cars were seen where, as the browser tells it.
private actor Sightings {
    private struct Place: Hashable {
        let name: String
        let port: UInt16
    }

    private var times: [Place: UInt64] = [:]
    private var waiting: [Place: CheckedContinuation<UInt64?, Never>] = [:]

    init(_ events: AsyncStream<BrowserEvent>) {
        Task {
            for await case .found(let car) in events { await self.saw(Place(name: car.name, port: car.port), at: MonotonicClock.now()) }
        }
    }

    private func saw(_ place: Place, at time: UInt64) {
        times[place] = times[place] ?? time
        waiting.removeValue(forKey: place)?.resume(returning: time)
    }

    func time(of name: String, at port: UInt16, within limit: Duration) async throws -> UInt64 {
        let place = Place(name: name, port: port)
        if let time = times[place] { return time }
        let alarm = Task {
            try await Task.sleep(for: limit)
            self.giveUp(place)
        }
        defer { alarm.cancel() }
        guard let time = await withCheckedContinuation({ waiting[place] = $0 }) else { throw ToolError("\(name) was not seen at port \(port)") }
        return time
    }

    private func giveUp(_ place: Place) { waiting.removeValue(forKey: place)?.resume(returning: nil) }
}

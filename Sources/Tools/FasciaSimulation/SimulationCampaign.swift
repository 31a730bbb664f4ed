import FasciaLink
import FasciaSession
import FasciaWire

/// Many cycles of faults in virtual time. A world lives for some cycles, then another one begins: a cycle can be done again from its
/// world's seed.
public struct SimulationCampaign: Sendable {
    /// What a world went through.
    public struct Result: Sendable {
        public var cycles = 0
        public var counts = SimulatedWorld.Counts()
        /// Virtual time, nanoseconds.
        public var time: UInt64 = 0
        /// What was wrong, with the number of the world: `--seed S --world N` does it again.
        public var violations: [(world: Int, text: String)] = []
        public var byFault: [SimulatedFault: Int] = [:]

        public init() {}

        public mutating func add(_ other: Result) {
            cycles += other.cycles
            time += other.time
            violations += other.violations
            counts.sessions += other.counts.sessions
            counts.resumes += other.counts.resumes
            counts.sceneConnects += other.counts.sceneConnects
            counts.sceneDisconnects += other.counts.sceneDisconnects
            counts.suspicions += other.counts.suspicions
            counts.races += other.counts.races
            counts.sessionEnds += other.counts.sessionEnds
            counts.steps += other.counts.steps
            byFault.merge(other.byFault, uniquingKeysWith: +)
        }
    }

    public static let cyclesAWorld = 20
    public let seed: UInt64
    public var sabotage: SimulatedWorld.Sabotage?

    public init(seed: UInt64, sabotage: SimulatedWorld.Sabotage? = nil) { (self.seed, self.sabotage) = (seed, sabotage) }

    /// One world, from its number alone.
    public func run(world number: Int, cycles: Int = Self.cyclesAWorld) -> Result {
        var random = SeededGenerator(seed: seed, stream: UInt64(number))
        var settings = SimulatedWorld.Settings()
        settings.grace = [300, 2_000, 10_000].randomElement(using: &random).map { UInt64($0) * 1_000_000 } ?? settings.grace
        settings.latency = UInt64(random.logarithmic(100...60_000)) * 1_000
        settings.jitter = random.chance(50) ? settings.latency / 2 : 0
        settings.lossPermille = random.chance(50) ? 0 : random.logarithmic(1...50)
        let world = SimulatedWorld(seed: random.next(), settings: settings)
        world.sabotage = sabotage
        var result = Result()
        for cycle in 0..<cycles {
            run(cycle, in: world, &random, &result)
            if !world.violations.isEmpty { break }
        }
        result.violations = world.violations.map { (number, $0) }
        result.counts = world.counts
        result.time = world.now
        return result
    }

    private func run(_ cycle: Int, in world: SimulatedWorld, _ random: inout SeededGenerator, _ result: inout Result) {
        let ms = SimulatedWorld.millisecond
        settle(world, "cycle \(cycle) begins")
        guard world.violations.isEmpty else { return }
        world.open(SimulatedWorld.apps.randomElement(using: &random) ?? "")
        world.run(for: UInt64(random.logarithmic(1...400)) * ms)
        var over = world.now
        var names: [String] = []
        for _ in 0..<(random.chance(60) ? 1 : random.chance(60) ? 2 : 3) {
            let fault = SimulatedFault.allCases.randomElement(using: &random) ?? .reset
            names.append(fault.rawValue)
            result.byFault[fault, default: 0] += 1
            over = max(over, world.now + world.strike(fault))
            world.run(for: UInt64(random.logarithmic(1...300)) * ms)
            if random.chance(30) { world.open(SimulatedWorld.apps.randomElement(using: &random) ?? "") }
        }
        if over > world.now { world.run(for: over - world.now) }
        result.cycles += 1
        settle(world, "cycle \(cycle), " + names.joined(separator: " and "))
    }

    /// Nothing is broken any more: everything has to come together.
    private func settle(_ world: SimulatedWorld, _ when: String) {
        guard world.violations.isEmpty else { return }
        if !world.run(for: SimulatedWorld.bound, until: { world.isTogether }), world.violations.isEmpty {
            return world.violate("\(when): not together after \(SimulatedWorld.bound / 1_000_000) ms: \(world.situation)")
        }
        world.calmApps()
        if !world.run(for: SimulatedWorld.bound, until: { world.areScenesQuiet }), world.violations.isEmpty {
            world.violate("\(when): scenes are not quiet after \(SimulatedWorld.bound / 1_000_000) ms: \(world.situation)")
        }
        if let text = world.violations.first, !text.contains(when) { world.violations[0] = "\(text) (\(when))" }
    }

    /// A connected phone on a link with gaps and loss: how often scenes and sessions were given up.
    /// - Parameters:
    ///   - gaps: milliseconds each lasts; the network is good for between them, milliseconds.
    ///   - seconds: of virtual time.
    public static func gaps(_ gaps: ClosedRange<Int>, every good: ClosedRange<Int>, lossPermille: Int, seconds: Int, seed: UInt64) -> SimulatedWorld {
        var random = SeededGenerator(seed: seed)
        var settings = SimulatedWorld.Settings()
        settings.grace = 10_000_000_000
        settings.jitter = 2_000_000
        let world = SimulatedWorld(seed: random.next(), settings: settings)
        _ = world.run(for: SimulatedWorld.bound) { world.isTogether }
        world.open(SimulatedWorld.apps[0])
        world.run(for: 2_000_000_000)
        world.network.lossPermille = lossPermille
        let end = world.now + UInt64(seconds) * 1_000_000_000
        while world.now < end, world.violations.isEmpty {
            world.run(for: UInt64(Int.random(in: good, using: &random)) * 1_000_000)
            world.network.silentUntil = world.now + UInt64(Int.random(in: gaps, using: &random)) * 1_000_000
            if let link = world.attached { world.draw(on: link) }
        }
        _ = world.run(for: SimulatedWorld.bound) { world.isTogether && world.areScenesQuiet }
        return world
    }
}

extension SimulatedWorld {
    /// From here on apps behave.
    func calmApps() {
        tempers = []
        for process in processes.values where process.temper != .hangs { process.temper = .good }
    }

    /// For the report of a violation.
    var situation: String {
        let phone = phone.map { "\($0.state)" } ?? "gone", car = car.map { "\($0.state)" } ?? "gone"
        let apps = Self.apps.map { "\($0) \(scenes[$0])" }.joined(separator: ", ")
        return "phone \(phone); car \(car); \(connections.count) connections, \(attempts.count) attempts; \(apps)"
    }
}

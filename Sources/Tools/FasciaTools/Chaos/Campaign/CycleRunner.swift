import FasciaEvents
import FasciaProcesses
import Foundation

/// Carries out one plan on a pair: brings it to the scene, breaks what is to break, lets it heal, and looks at everything.
struct CycleRunner {
    let pair: ChaosPair
    let plan: CyclePlan
    let checks: PairChecks
    /// Also of cycles in which nothing is wrong.
    var keepsTimeline = false

    var reactor: Reactor { pair.reactor }
    var proxy: FaultProxy { pair.proxy }

    func run() -> CycleResult {
        let start = MonotonicClock.now()
        var result = CycleResult(number: plan.number, kind: plan.kind)
        pair.timeline.beginCycle()
        pair.timeline.add("chaos", "cycle \(plan.number): \(plan.kind.rawValue), scene \(plan.scene.rawValue)")
        do {
            settle("before the fault")
            bring(plan.scene)
            order(plan.kind == .launchTrouble || plan.kind == .connectTrouble ? [] : plan.orders)
            for tap in plan.taps { console(tap) }
            reactor.run(within: Double(plan.lead) / 1000)
            let generation = self.generation
            let healed = try strike()
            pair.timeline.add("chaos", "healed")
            if plan.encore, reactor.run(within: Double(plan.lead) / 1000 + 0.01, until: { pair.isQuiet }) == false { proxy.cut(reset: plan.coin) }
            // What is certain to break the connection has to show before quiet means anything.
            if breaksForCertain { reactor.run(within: pair.bound) { self.generation != generation } }
            settle("after \(plan.kind.rawValue)")
            for connection in proxy.connections where connection.isBlackhole { connection.close(reset: true) }
            if pair.phoneLink.lastFirstFrame > healed, self.generation != generation {
                result.reconnect = pair.phoneLink.lastFirstFrame - healed
            }
            order([])
            if !pair.isInViolation { checks.look(at: pair) }
        } catch {
            pair.violate("\(error)")
        }
        result.violations = pair.takeViolations()
        result.seconds = Double(MonotonicClock.now() - start) / 1e9
        if !result.violations.isEmpty || keepsTimeline { result.timeline = pair.timeline.text }
        return result
    }

    /// Counts connections that came to be, as both ends see them.
    var generation: [Int] { [pair.phoneLink.sessions + pair.phoneLink.resumes, pair.carLink.sessions + pair.carLink.resumes] }

    /// Both ends must come to agree, with a picture, within the bound.
    private func settle(_ when: String) {
        let start = MonotonicClock.now()
        guard !reactor.run(within: pair.bound, until: { pair.isQuiet }), !reactor.isInterrupted() else { return }
        let waited = Double(MonotonicClock.now() - start) / 1e9
        pair.violate("not back \(String(format: "%.1f", waited)) s \(when): \(pair.unrest.joined(separator: "; "))")
    }

    // MARK: Scenes

    func order(_ orders: [String]) {
        let path = pair.file("orders")
        if orders.isEmpty { unlink(path) } else { try? orders.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8) }
        if !orders.isEmpty { pair.timeline.add("chaos", "orders: \(orders.joined(separator: ", "))") }
    }

    /// A command that need not succeed: what it taps may have gone.
    @discardableResult
    func console(_ command: String, within seconds: Double = 0.5) -> String? {
        let answer = pair.headUnit?.ask(command, within: seconds)
        pair.timeline.add("console", "\(command) -> \(answer ?? "no answer")")
        return answer
    }

    func identifier(_ scene: CyclePlan.Scene) -> String? {
        switch scene {
        case .chaosApp: ChaosPair.chaosID
        case .rubberSoul: ChaosPair.rubberSoulID
        case .asItIs, .home: nil
        }
    }

    private func bring(_ scene: CyclePlan.Scene) {
        switch scene {
        case .asItIs: break
        case .home: console("key home")
        case .rubberSoul, .chaosApp:
            guard let id = identifier(scene) else { return }
            // Whatever the cycle before left, alerts of apps that crashed for instance: home shows all icons.
            for _ in 0..<3 where !pair.scenes.isConnected(id) {
                console("key home")
                console("wait \"\(scene.rawValue)\" 1", within: 2)
                console("tap \"\(scene.rawValue)\"")
                if reactor.run(within: pair.bound, until: { pair.scenes.isConnected(id) }) { break }
            }
            if !pair.scenes.isConnected(id), !reactor.isInterrupted() { return pair.violate("\(scene.rawValue) does not open") }
            settle("after \(scene.rawValue) was opened")
        }
    }
}

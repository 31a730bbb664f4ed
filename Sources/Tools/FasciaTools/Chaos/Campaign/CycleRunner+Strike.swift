import FasciaEvents
import FasciaProcesses
import FasciaTrust
import Foundation

extension CycleRunner {
    /// The fault makes the connection there is useless, whatever its timing.
    var breaksForCertain: Bool {
        switch plan.kind {
        case .reset, .finish, .halfClose, .midHandshake, .midCommit, .blackhole, .refuse, .roam, .redirect, .killHeadUnit, .endHeadUnit, .killPhone, .endPhone,
             .killBoth, .forget, .midPairing, .disconnectTrouble: true
        case .corrupt, .stall, .launch, .gap, .cable, .freezeHeadUnit, .freezePhone, .killApp, .freezeApp, .tapTrouble, .connectTrouble, .launchTrouble: false
        }
    }

    private var lead: Double { Double(plan.lead) / 1000 }
    private var duration: Double { Double(plan.duration) / 1000 }

    /// - Returns: the moment from which on nothing is broken, `CLOCK_MONOTONIC` nanoseconds.
    func strike() throws -> UInt64 {
        switch plan.kind {
        case .reset: strike(.reset)
        case .finish: strike(.finish)
        case .halfClose: strike(.halfClose)
        case .corrupt: strike(.corrupt)
        case .stall: strike(.stall(milliseconds: plan.duration))
        case .midHandshake, .midCommit: try breakNext { proxy.cut(reset: plan.coin) }
        case .launch: try launch()
        case .gap:
            try blackhole()
            proxy.resumeAll()
        case .blackhole: try blackhole()
        case .refuse:
            try proxy.set(.refuse)
            proxy.cut(reset: plan.coin)
            pause(duration)
            try proxy.heal()
        case .roam:
            proxy.phoneOctet = 2 + (plan.number % 250)
            if plan.coin { proxy.cut(reset: true) } else { proxy.blackholeAll() }
        case .cable:
            console("link cut")
            pause(duration)
            console("link restore")
        case .redirect, .killHeadUnit, .endHeadUnit: try restartHeadUnit()
        case .killPhone, .endPhone: try restartPhone()
        case .killBoth:
            pair.supervises = []
            for end in plan.coin ? [ChaosPair.End.phone, .headUnit] : [.headUnit, .phone] { pair.signal(end, SIGKILL) }
            for end in [ChaosPair.End.phone, .headUnit] { pair.awaitEnd(end, within: 2) }
            if !plan.coin { pause(duration) }
            try pair.startHeadUnit(anew: true)
            try pair.startPhone()
            pair.supervises = [.phone, .headUnit]
        case .freezeHeadUnit, .freezePhone:
            let end: ChaosPair.End = plan.kind == .freezePhone ? .phone : .headUnit
            pair.signal(end, SIGSTOP)
            pause(duration)
            pair.signal(end, SIGCONT)
        case .forget, .midPairing: try pairAnew()
        case .killApp, .freezeApp: troubleApp()
        case .tapTrouble:
            console("wait \"Trouble 1\" 1", within: 2)
            console("tap \"Trouble 1\"")
            pause(lead)
            if plan.coin { proxy.cut(reset: true) }
            pause(0.05)
        case .connectTrouble, .launchTrouble: openWithTrouble()
        case .disconnectTrouble: try endSession()
        }
        return MonotonicClock.now()
    }

    func pause(_ seconds: Double) { reactor.run(within: seconds) }

    /// The connection there is breaks after so many more bytes; when they do not come, it breaks all the same.
    private func strike(_ deed: ProxyRule.Deed) {
        let rule = ProxyRule(direction: plan.direction, bytes: plan.bytes[0], deed: deed)
        var applied = false
        let before = proxy.onRule
        proxy.onRule = {
            before($0)
            applied = true
        }
        proxy.apply(rule)
        console("knob cw")
        reactor.run(within: 0.15) { applied }
        if !applied { proxy.hurry() }
        proxy.onRule = before
        if case .stall(let milliseconds) = deed { pause(Double(milliseconds) / 1000) }
    }

    /// The next connections break, each after its number of bytes; then one is let through.
    private func breakNext(_ begin: () throws -> Void) throws {
        var applied = 0
        let before = proxy.onRule
        proxy.onRule = {
            before($0)
            applied += 1
        }
        proxy.breakNext(plan.bytes.map { ProxyRule(direction: plan.direction, bytes: $0, deed: plan.deed) })
        try begin()
        for count in 1...plan.bytes.count {
            if !reactor.run(within: 0.4, until: { applied >= count }) { proxy.hurry() }
        }
        proxy.onRule = before
        try proxy.heal()
        for connection in proxy.connections where connection.isBlackhole { connection.close(reset: true) }
    }

    private func blackhole() throws {
        try proxy.set(.blackhole)
        proxy.blackholeAll()
        pause(duration)
        try proxy.heal()
    }

    private func restartHeadUnit() throws {
        pair.supervises.remove(.headUnit)
        pair.signal(.headUnit, plan.kind == .endHeadUnit || plan.kind == .redirect && plan.coin ? SIGTERM : SIGKILL)
        ended(.headUnit, orderly: plan.kind == .endHeadUnit)
        if plan.kind != .redirect, plan.coin { pause(duration) }
        try pair.startHeadUnit(anew: plan.kind == .redirect)
        pair.supervises.insert(.headUnit)
    }

    private func restartPhone() throws {
        pair.supervises.remove(.phone)
        pair.signal(.phone, plan.kind == .endPhone ? SIGTERM : SIGKILL)
        ended(.phone, orderly: plan.kind == .endPhone)
        if plan.coin { pause(duration) }
        try pair.startPhone()
        pair.supervises.insert(.phone)
    }

    /// SIGTERM ends a program within three seconds, hanging apps included, and a machine that stands still meanwhile gets the rest of the bound.
    private func ended(_ end: ChaosPair.End, orderly: Bool) {
        let limit = max(4, pair.bound)
        guard !pair.awaitEnd(end, within: limit), !reactor.isInterrupted() else { return }
        if orderly { pair.violate("\(end.rawValue) did not end within \(limit.formatted()) s of SIGTERM") }
        pair.program(end)?.signal(SIGKILL)
        pair.awaitEnd(end, within: 2)
    }

    /// The app is started, or opened, and the link breaks on the way.
    private func launch() throws {
        if plan.coin, let pid = pair.scenes.pid(of: ChaosPair.chaosID) { killApp(pid, SIGKILL) }
        console("key home")
        console("wait Chaos 1", within: 2)
        let rule = ProxyRule(direction: plan.direction, bytes: plan.bytes[0], deed: plan.deed)
        proxy.apply(rule)
        console("tap Chaos")
        pause(lead)
        proxy.hurry()
        if plan.deed == .blackhole {
            pause(duration)
            for connection in proxy.connections where connection.isBlackhole { connection.close(reset: true) }
        }
        pause(0.05)
    }

    private func pairAnew() throws {
        pair.supervises.remove(.phone)
        pair.signal(.phone, SIGTERM)
        ended(.phone, orderly: true)
        let both = plan.kind == .midPairing
        do {
            if both || plan.coin { try checks.forget(.phone) }
            if both || !plan.coin { try checks.forget(.headUnit) }
        } catch { pair.violate("forgetting failed: \(error)") }
        pair.mayEnd.insert(.phone)
        // A phone whose pairing breaks says so and ends: whoever started it starts it again.
        let mayEnd = {
            pair.mayEnd.insert(.phone)
            pair.supervises.insert(.phone)
        }
        if both {
            try breakNext {
                try pair.startPhone()
                mayEnd()
            }
        } else {
            try pair.startPhone()
            mayEnd()
        }
        _ = reactor.run(within: pair.bound) {
            mayEnd()
            return pair.isQuiet
        }
    }

    func killApp(_ pid: Int32, _ number: Int32) {
        pair.timeline.add("chaos", "\(signalName(number)) to app \(pid)")
        kill(pid, number)
        if number != SIGSTOP, number != SIGCONT { reactor.run(within: 3) { !pair.scenes.pids.contains(pid) } }
    }

    private func troubleApp() {
        guard let id = identifier(plan.scene), let pid = pair.scenes.pid(of: id) else { return }
        if plan.kind == .killApp {
            if plan.coin { proxy.cut(reset: true) }
            killApp(pid, plan.number % 3 == 0 ? SIGTERM : plan.number % 3 == 1 ? SIGKILL : SIGSEGV)
        } else {
            killApp(pid, SIGSTOP)
            if plan.coin { proxy.cut(reset: true) }
            pause(duration)
            killApp(pid, SIGCONT)
        }
    }

    private func openWithTrouble() {
        if let pid = pair.scenes.pid(of: ChaosPair.chaosID) { killApp(pid, SIGKILL) }
        order(plan.orders)
        console("key home")
        console("wait Chaos 1", within: 2)
        console("tap Chaos")
        pause(lead)
        if plan.coin { proxy.cut(reset: plan.direction == .up) }
        pause(0.1)
    }

    /// Ends the session under an app whose didDisconnect has orders, and opens the app again while it may still be at it.
    private func endSession() throws {
        let generation = self.generation
        if CyclePlan(seed: plan.seed, number: plan.number).number / CyclePlan.blockLength % 2 == 0 {
            pair.supervises.remove(.headUnit)
            pair.signal(.headUnit, plan.coin ? SIGTERM : SIGKILL)
            ended(.headUnit, orderly: plan.coin)
            try pair.startHeadUnit(anew: false)
            pair.supervises.insert(.headUnit)
        } else {
            try proxy.set(.refuse)
            proxy.cut(reset: true)
            reactor.run(within: 3) { pair.phoneLink.state == .none && pair.carLink.state == .none }
            try proxy.heal()
        }
        reactor.run(within: pair.bound) { self.generation != generation && pair.phoneLink.hasFirstFrame }
        console("wait Chaos 1", within: 2)
        console("tap Chaos")
    }
}

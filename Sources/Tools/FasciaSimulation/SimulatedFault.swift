import FasciaLink
import FasciaSession

/// What goes wrong in the simulation.
public enum SimulatedFault: String, CaseIterable, Sendable {
    case reset, silence, oneWay = "one-way", midHandshake = "mid-handshake", gap, longGap = "long-gap"
    case killCar = "kill-car", stopCar = "stop-car", killPhone = "kill-phone", stopPhone = "stop-phone", killBoth = "kill-both"
    case appCrash = "app-crash", appHang = "app-hang", appSlow = "app-slow", launch = "during-launch", evidence, forget, nothing
}

extension SimulatedWorld {
    /// Begins a fault; what it takes to end it is arranged as well.
    /// - Returns: nanoseconds until it is over.
    func strike(_ fault: SimulatedFault) -> UInt64 {
        let ms = Self.millisecond
        let ends: [End] = [.phone, .car]
        let end = ends.randomElement(using: &random) ?? .phone
        func bytes(_ most: Int) -> Int { random.logarithmic(1...most) }
        switch fault {
        case .reset, .silence, .oneWay:
            let how: SimulatedConnection.Break = fault == .reset ? .reset : fault == .silence ? .silence : .oneWay
            let count = bytes(6_000), atOnce = random.chance(40)
            for connection in connections {
                if atOnce { sever(connection, how, from: end) } else { connection.breaksAfter = (end, count, how) }
            }
            if !atOnce, let attached { draw(on: attached) }
            // Bytes that never come break nothing later.
            after(300 * ms) { [unowned self] in for connection in connections { connection.breaksAfter = nil } }
            return 300 * ms
        case .midHandshake:
            nextBreaks = (0..<Int.random(in: 1...3, using: &random)).map { _ in
                (ends.randomElement(using: &random) ?? .car, bytes(400), SimulatedConnection.Break.allCases.randomElement(using: &random) ?? .reset)
            }
            for connection in connections { sever(connection, .reset, from: end) }
            after(1_000 * ms) { [unowned self] in nextBreaks = [] }
            return 1_000 * ms
        case .gap, .longGap:
            let length = fault == .gap ? UInt64(random.logarithmic(10...1_500)) * ms : settings.grace + UInt64(random.logarithmic(100...4_000)) * ms
            network.silentUntil = max(network.silentUntil, now + length)
            return length
        case .killCar, .stopCar:
            if fault == .killCar { killCar() } else { stopCar() }
            let rest = UInt64(random.logarithmic(1...3_000)) * ms
            after(rest) { [unowned self] in if car == nil { startCar() } }
            return rest
        case .killPhone, .stopPhone:
            if fault == .killPhone { killPhone() } else { stopPhone() }
            let rest = UInt64(random.logarithmic(1...3_000)) * ms
            after(rest) { [unowned self] in if phone == nil { startPhone() } }
            return rest
        case .killBoth: return max(strike(.killCar), strike(.killPhone))
        case .appCrash:
            if let process = processes.values.min(by: { $0.pid < $1.pid }) { self.end(process) }
            return 0
        case .appHang, .appSlow:
            for process in processes.values { process.temper = fault == .appHang ? .hangs : .slow }
            // Seen when the session ends, or when the app is opened.
            return random.chance(50) ? strike(.stopCar) : 0
        case .launch:
            tempers = [SimulatedApp.Temper.allCases.randomElement(using: &random) ?? .crashes]
            if let process = processes.values.min(by: { $0.pid < $1.pid }) { self.end(process) }
            open(Self.apps.randomElement(using: &random) ?? "")
            return strike([.reset, .silence, .killCar, .nothing].randomElement(using: &random) ?? .reset)
        case .evidence:
            if let reaction = phone?.evidence(.carrierLost, detail: "simulated", now: now) { perform(reaction.actions) }
            return random.chance(50) ? strike(.silence) : 0
        case .forget:
            if let reaction = phone?.forgotten(now: now) { perform(reaction.actions) }
            return 0
        case .nothing: return 0
        }
    }

}

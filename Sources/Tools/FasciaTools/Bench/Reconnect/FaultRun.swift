import FasciaEvents
import FasciaLab
import FasciaProcesses
import Foundation

/// One fault done to a pair, and what came of it. The pair is connected before and after.
struct FaultRun {
    /// Nanoseconds.
    struct Outcome {
        var firstFrame: UInt64
        var phases: [String: UInt64]
        var handshake: HandshakeMode?
        /// `resumed`, `connected` or `recovered`.
        var outcome: String
    }

    let pair: ReconnectPair
    let fault: ReconnectFault
    /// The phone's words for having noticed.
    private static let noticed = ["late", "suspected", "suspended", "disconnected"]

    func run() async throws -> Outcome {
        let begin = MonotonicClock.now()
        switch fault {
        case .goodbye, .reset:
            pair.car.say("link \(fault.rawValue)")
            let frame = try await pair.carEvents.first("first-frame", since: begin, of: pair.car)
            let injected = try await pair.carEvents.first("link-\(fault.rawValue)", since: begin, of: pair.car).time
            let closed = try await gone(since: injected)
            return try await outcome(fault: injected, linkBack: closed, frame: frame)
        case .blackhole:
            let cut = try await silence()
            _ = try await gone(since: cut)
            return try await afterReturn(fault: cut, linkBack: try await speech())
        case .carrier:
            guard case .lab(let lab) = pair.path else { throw ToolError("carrier needs the lab") }
            let cut = try lab.link.setCarrier(of: .phone, on: false)
            try lab.link.setCarrier(of: .car, on: false)
            _ = try await gone(since: cut)
            try lab.link.setCarrier(of: .car, on: true)
            return try await afterReturn(fault: cut, linkBack: try lab.link.setCarrier(of: .phone, on: true))
        case .killHeadUnit, .restart:
            pair.car.signal(fault == .restart ? SIGTERM : SIGKILL)
            _ = try await pair.car.exitStatus()
            let ended = MonotonicClock.now()
            try await pair.startCar(samePort: !fault.changesPort)
            return try await afterReturn(fault: begin, linkBack: try await pair.listening(since: ended))
        case .killPhone:
            pair.phone.signal(SIGKILL)
            _ = try await pair.phone.exitStatus()
            let started = MonotonicClock.now()
            try await pair.startPhone()
            let connecting = try await pair.phoneEvents.first("connecting", since: started, of: pair.phone).time
            var outcome = try await afterReturn(fault: begin, linkBack: connecting)
            outcome.phases["start"] = connecting - started
            return outcome
        case .publish:
            pair.car.signal(SIGTERM)
            _ = try await pair.car.exitStatus()
            _ = try await gone(since: begin)
            try await Task.sleep(for: .milliseconds(1_500)) // the goodbye of the old record has run out (RFC 6762, 10.1: one second)
            let started = MonotonicClock.now()
            try await pair.startCar(samePort: false)
            let listening = try await pair.listening(since: started)
            let seen = try await pair.phoneEvents.first("discovered", since: listening, of: pair.phone).time
            var outcome = try await afterReturn(fault: begin, linkBack: listening)
            outcome.phases["publish"] = seen - listening
            return outcome
        case .cut: throw ToolError("a cut has a length")
        }
    }

    /// Silence of `length` on a screen that keeps changing.
    func cut(for length: Duration) async throws -> Outcome {
        let cut: UInt64, back: UInt64
        if case .lab(let lab) = pair.path {
            let outage = try lab.link.cut(for: length)
            (cut, back) = (outage.start, outage.end ?? outage.start)
            try await Task.sleep(for: length)
        } else {
            cut = try await silence()
            try await Task.sleep(for: length)
            back = try await speech()
        }
        let frame = try await pair.carEvents.first("frame", "first-frame", since: back, of: pair.car)
        try await Task.sleep(for: .milliseconds(300)) // the race may still go on
        let events = pair.phoneEvents.since(cut)
        if let session = events.first(where: { $0.event == "resumed" || $0.event == "connected" }) {
            var outcome = try outcome(fault: cut, linkBack: back, frame: frame, session: session, phone: events)
            outcome.firstFrame = frame.time - back
            return outcome
        }
        let detected = events.first { Self.noticed.contains($0.event) }?.time
        return Outcome(firstFrame: frame.time - back, phases: detected.map { ["detect": $0 - cut] } ?? [:], handshake: nil, outcome: "recovered")
    }

    // MARK: Link

    private func silence() async throws -> UInt64 {
        if case .lab(let lab) = pair.path { return try lab.link.cut().start }
        let begin = MonotonicClock.now()
        try await pair.car.ask("link cut")
        return try await pair.carEvents.first("link-cut", since: begin, of: pair.car).time
    }

    private func speech() async throws -> UInt64 {
        if case .lab(let lab) = pair.path { return try lab.link.restore() }
        let begin = MonotonicClock.now()
        pair.car.say("link restore")
        return try await pair.carEvents.first("link-restored", since: begin, of: pair.car).time
    }

    // MARK: Waiting

    private func gone(since time: UInt64) async throws -> UInt64 {
        try await pair.phoneEvents.first("suspended", "disconnected", since: time, of: pair.phone).time
    }

    private func afterReturn(fault: UInt64, linkBack: UInt64) async throws -> Outcome {
        try await outcome(fault: fault, linkBack: linkBack, frame: try await pair.carEvents.first("first-frame", since: linkBack, of: pair.car))
    }

    /// - Parameter frame: the head unit's first one on the new connection.
    private func outcome(fault: UInt64, linkBack: UInt64, frame: EventRecord) async throws -> Outcome {
        let begin = fault
        let session = try await pair.phoneEvents.first("resumed", "connected", since: begin, of: pair.phone)
        return try outcome(fault: fault, linkBack: linkBack, frame: frame, session: session, phone: pair.phoneEvents.since(begin))
    }

    private func outcome(fault: UInt64, linkBack: UInt64, frame: EventRecord, session: EventRecord, phone: [EventRecord]) throws -> Outcome {
        let detected = phone.first { Self.noticed.contains($0.event) }?.time ?? linkBack
        guard let milestones = Milestones(fault: fault, detected: detected, linkBack: linkBack, session: session, presented: frame.time, phone: phone) else {
            throw ToolError("the phone did not report the steps of its connection")
        }
        let phases = Dictionary(uniqueKeysWithValues: milestones.phases.map { ($0.key.rawValue, $0.value) })
        return Outcome(firstFrame: milestones.total, phases: phases, handshake: Milestones.handshake(of: session, phone: phone), outcome: session.event)
    }
}

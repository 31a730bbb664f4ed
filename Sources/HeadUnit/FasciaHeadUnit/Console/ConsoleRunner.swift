import FasciaEvents
import FasciaWire
import Glibc

/// Carries out console commands on a head unit.
@MainActor
struct ConsoleRunner {
    enum Answer: Equatable {
        case ok(String)
        case error(String)
        case quit

        /// The line to print.
        var line: String {
            switch self {
            case .ok(let text): text.isEmpty ? "ok" : "ok \(text)"
            case .error(let text): "error \(text)"
            case .quit: "ok quit"
            }
        }
    }

    let unit: HeadUnit
    /// `link cut|restore|reset|goodbye`.
    let inject: @MainActor (LinkFault) -> Void

    /// How long a tap holds the finger down.
    private static let tapTime: UInt64 = 30_000_000
    /// Time between the moves of a drag.
    private static let moveTime: UInt64 = 10_000_000

    func run(_ command: ConsoleCommand) async -> Answer {
        switch command {
        case .wait(let text, let seconds): return await wait(text, seconds)
        case .tapText(let text): return await tap(text)
        case .tapPoint(let x, let y): return await tap(x, y, "\(number(x)) \(number(y))")
        case .drag(let fromX, let fromY, let toX, let toY, let milliseconds): return await drag((fromX, fromY), (toX, toY), milliseconds)
        case .knobTurn(let detents):
            if let problem = unit.inputProblem(.knob) { return .error(problem) }
            for _ in 0..<abs(detents) { unit.knob(.rotate, detents: detents.signum()) }
            return .ok("knob \(detents > 0 ? "cw" : "ccw") \(abs(detents))")
        case .knob(let action):
            if let problem = unit.inputProblem(.knob) { return .error(problem) }
            unit.knob(action)
            if action == .press {
                try? await Task.sleep(nanoseconds: Self.tapTime)
                unit.knob(.release)
            }
            return .ok("knob")
        case .key(let key, let seconds):
            if let problem = unit.inputProblem(.keys) ?? unit.keyProblem(key) { return .error(problem) }
            unit.key(key, pressed: true)
            try? await Task.sleep(nanoseconds: max(Self.tapTime, UInt64(seconds * 1e9)))
            unit.key(key, pressed: false)
            return .ok("key")
        case .screenshot(let path): return screenshot(path)
        case .tree: return .ok(unit.treeReport())
        case .stats: return .ok(unit.statisticsReport())
        case .resetStatistics:
            unit.statistics.forgetLatencies()
            unit.sound.engine.withLatencies { $0.forget() }
            return .ok("stats reset")
        case .night(let on):
            unit.setNight(on)
            return .ok("night \(on ? "on" : "off")")
        case .driver(let side):
            unit.setDriver(side)
            return .ok("driver \(side.rawValue)")
        case .volume(let route, let percent):
            unit.setVolume(route, percent: percent)
            return .ok("volume \(route.name) \(percent)")
        case .mute(let route, let on):
            unit.setMute(route, on)
            return .ok("mute \(route.name) \(on ? "on" : "off")")
        case .audio: return .ok(unit.soundReport())
        case .link(let fault):
            inject(fault)
            return .ok("link \(fault.outcome)")
        case .radio(let on): return answer(unit.setRadio(on), "radio \(on ? "on" : "off")")
        case .carCall(let step): return answer(unit.carCall(step), "carcall \(step.rawValue)")
        case .reverseGear(let on): return answer(unit.setReverseGear(on), "reverse-gear \(on ? "on" : "off")")
        case .sleep(let seconds):
            try? await Task.sleep(nanoseconds: UInt64(seconds * 1e9))
            return .ok("slept \(number(seconds))")
        case .quit: return .quit
        }
    }

    private func answer(_ problem: String?, _ done: String) -> Answer { problem.map { .error($0) } ?? .ok(done) }

    private func wait(_ text: String, _ seconds: Double) async -> Answer {
        let start = MonotonicClock.now()
        let deadline = start + UInt64(seconds * 1e9)
        while true {
            let now = MonotonicClock.now()
            if SemanticsSearch(nodes: unit.display.semantics).shows(text) { return .ok("\(text) after \(number(Double(now - start) / 1e9)) s") }
            guard now < deadline else {
                return .error("\"\(text)\" is not on the screen after \(number(seconds)) s; \(candidates(text))")
            }
            await unit.waiters.wait(atMost: deadline - now)
        }
    }

    private func tap(_ text: String) async -> Answer {
        let problem = unit.inputProblem(.touch)
        guard let node = SemanticsSearch(nodes: unit.display.semantics).target(text) else {
            return .error(problem ?? "nothing on the screen that can be tapped says \"\(text)\"; \(candidates(text))")
        }
        let left = max(0, Double(node.x)), top = max(0, Double(node.y))
        let right = min(Double(unit.options.profile.width), Double(node.x + node.width)), bottom = min(Double(unit.options.profile.height), Double(node.y + node.height))
        return await tap((left + right) / 2, (top + bottom) / 2, node.label)
    }

    private func tap(_ x: Double, _ y: Double, _ what: String) async -> Answer {
        if unit.display.target(x, y) == nil, let problem = unit.inputProblem(.touch) { return .error(problem) }
        guard x >= 0, y >= 0, x < Double(unit.options.profile.width), y < Double(unit.options.profile.height) else {
            return .error("\(number(x)) \(number(y)) is outside the screen of \(unit.options.profile.width)x\(unit.options.profile.height) pixels")
        }
        unit.touch(.began, x: x, y: y)
        try? await Task.sleep(nanoseconds: Self.tapTime)
        unit.touch(.ended, x: x, y: y)
        return .ok("tapped \(what)")
    }

    private func drag(_ from: (x: Double, y: Double), _ to: (x: Double, y: Double), _ milliseconds: Int) async -> Answer {
        if let problem = unit.inputProblem(.touch) { return .error(problem) }
        let start = MonotonicClock.now(), duration = UInt64(milliseconds) * 1_000_000
        let moves = max(1, duration / Self.moveTime)
        unit.touch(.began, x: from.x, y: from.y)
        // Every move is sent, late ones too: where a drag goes does not depend on how busy the machine is.
        for move in 1...moves {
            let due = start + duration * move / moves, now = MonotonicClock.now()
            if due > now { try? await Task.sleep(nanoseconds: due - now) }
            let part = Double(move) / Double(moves)
            unit.touch(.moved, x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part)
        }
        unit.touch(.ended, x: to.x, y: to.y)
        return .ok("dragged")
    }

    private func screenshot(_ path: String) -> Answer {
        unit.display.compose()
        let png = unit.display.png()
        guard !png.isEmpty else { return .error("the screen cannot be encoded as PNG") }
        guard let file = fopen(path, "wb") else { return .error("cannot write \(path): \(String(cString: strerror(errno)))") }
        let written = png.withUnsafeBytes { fwrite($0.baseAddress, 1, $0.count, file) }
        guard fclose(file) == 0, written == png.count else { return .error("cannot write \(path): \(String(cString: strerror(errno)))") }
        return .ok("screenshot \(path) \(unit.options.profile.width)x\(unit.options.profile.height)")
    }

    private func candidates(_ text: String) -> String {
        let search = SemanticsSearch(nodes: unit.display.semantics)
        if search.hides(text) { return "it is out of view: scroll there with drag or knob" }
        let near = search.near(text)
        return near.isEmpty ? "the screen shows no text" : "there is " + near.map { "\"\($0)\"" }.joined(separator: ", ")
    }

    /// Up to three decimals.
    private func number(_ value: Double) -> String {
        let rounded = (value * 1_000).rounded() / 1_000
        return rounded == rounded.rounded() && abs(rounded) < 1e15 ? String(Int(rounded)) : String(rounded)
    }
}

/// A line of the control socket.
enum LinkCommand: Equatable {
    case delay(UInt64, jitter: UInt64?, toward: LabHost?)
    case loss(Double, toward: LabHost?)
    case rate(UInt64?, queue: Int?, toward: LabHost?)
    case reorder(Bool, toward: LabHost?)
    case seed(UInt64)
    case cut(UInt64?)
    case restore
    case carrier(LabHost, on: Bool)
    case gaps(GapPattern?)
    case stats(reset: Bool)
    case status
    case settings
    case enter(LabHost)
    case quit

    struct Wrong: Error, Equatable { let reason: String }

    static let help = """
        delay D [jitter D] | rtt D [jitter D] | loss PERCENT | rate RATE|off [queue BYTES] | reorder on|off, each with [toward car|phone]; \
        cut [D] | restore | gaps D..D every D..D [seed N] | gaps off | carrier car|phone on|off | seed N | stats [reset] | settings | status | quit
        """

    init(line: some StringProtocol) throws(Wrong) {
        var words = Words(line)
        let name = words.next() ?? ""
        switch name {
        case "delay", "rtt":
            let time = try words.duration(after: name)
            var jitter: UInt64?
            if words.skip("jitter") { jitter = try words.duration(after: "jitter") }
            self = .delay(name == "rtt" ? time / 2 : time, jitter: jitter, toward: try words.toward())
        case "loss":
            guard let loss = words.next().flatMap({ Quantity.percent($0) }) else { throw Wrong(reason: "loss takes per cent, 0 to 100") }
            self = .loss(loss, toward: try words.toward())
        case "rate":
            let text = words.next() ?? ""
            let rate = Quantity.rate(text)
            guard rate != nil || text == "off" else { throw Wrong(reason: "rate takes a rate such as 10mbit, or off") }
            var queue: Int?
            if words.skip("queue") {
                guard let bytes = words.next().flatMap({ Int($0) }), bytes > 0 else { throw Wrong(reason: "queue takes bytes") }
                queue = bytes
            }
            self = .rate(rate, queue: queue, toward: try words.toward())
        case "reorder": self = .reorder(try words.isOn(after: name), toward: try words.toward())
        case "seed": self = .seed(try words.number(after: name))
        case "cut": self = .cut(words.isEmpty ? nil : try words.duration(after: name))
        case "restore": self = .restore
        case "carrier": self = .carrier(try words.host(after: name), on: try words.isOn(after: "carrier HOST"))
        case "gaps": self = .gaps(try words.gaps())
        case "stats": self = .stats(reset: words.skip("reset"))
        case "status": self = .status
        case "settings": self = .settings
        case "enter": self = .enter(try words.host(after: name))
        case "quit": self = .quit
        default: throw Wrong(reason: "unknown: \(name); \(Self.help)")
        }
        guard words.isEmpty else { throw Wrong(reason: "too much behind \(name)") }
    }
}

/// What is left of a line.
private struct Words {
    private var rest: [Substring]

    init(_ line: some StringProtocol) { rest = String(line).split(separator: " ").reversed() }

    var isEmpty: Bool { rest.isEmpty }
    mutating func next() -> String? { rest.popLast().map(String.init) }

    mutating func skip(_ word: String) -> Bool {
        guard rest.last == word[...] else { return false }
        rest.removeLast()
        return true
    }

    mutating func duration(after name: String) throws(LinkCommand.Wrong) -> UInt64 {
        guard let time = next().flatMap({ Quantity.duration($0) }) else { throw .init(reason: "\(name) takes a time such as 10ms or 1.5s") }
        return time
    }

    mutating func durations(after name: String) throws(LinkCommand.Wrong) -> ClosedRange<UInt64> {
        guard let times = next().flatMap({ Quantity.durations($0) }) else { throw .init(reason: "\(name) takes times such as 200ms..460ms") }
        return times
    }

    mutating func number(after name: String) throws(LinkCommand.Wrong) -> UInt64 {
        guard let number = next().flatMap({ UInt64($0) }) else { throw .init(reason: "\(name) takes a whole number") }
        return number
    }

    mutating func isOn(after name: String) throws(LinkCommand.Wrong) -> Bool {
        switch next() {
        case "on": return true
        case "off": return false
        default: throw .init(reason: "\(name) takes on or off")
        }
    }

    mutating func host(after name: String) throws(LinkCommand.Wrong) -> LabHost {
        guard let host = next().flatMap({ LabHost(rawValue: $0) }) else { throw .init(reason: "\(name) takes car or phone") }
        return host
    }

    mutating func toward() throws(LinkCommand.Wrong) -> LabHost? { skip("toward") ? try host(after: "toward") : nil }

    mutating func gaps() throws(LinkCommand.Wrong) -> GapPattern? {
        if skip("off") { return nil }
        let length = try durations(after: "gaps")
        guard skip("every") else { throw .init(reason: "gaps LENGTH every INTERVAL [seed N], such as gaps 200ms..460ms every 1s..3s") }
        let interval = try durations(after: "every")
        // A link that is never there for a millisecond is a cut.
        guard interval.lowerBound >= 1_000_000 else { throw .init(reason: "every takes at least 1ms") }
        return GapPattern(length: length, interval: interval, seed: skip("seed") ? try number(after: "seed") : 1)
    }
}

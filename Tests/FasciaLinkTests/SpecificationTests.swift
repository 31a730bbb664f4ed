import FasciaFraming
import FasciaWire
import Foundation
import Testing

@testable import FasciaLink

/// The constants are those of spec/link.md, section 13.
struct SpecificationTests {
    /// Constant -> its number there.
    private static func constants() throws -> [String: Double] {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../spec/link.md").standardized
        let text = try String(contentsOf: file, encoding: .utf8)
        let section = try #require(text.components(separatedBy: "\n## 13.").last?.components(separatedBy: "\n## 14.").first)
        var constants: [String: Double] = [:]
        for line in section.split(separator: "\n") where line.hasPrefix("| ") {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count >= 2 else { continue }
            let values = cells[1].components(separatedBy: ", ").map { value in Double(value.prefix { $0.isNumber || $0 == "," }.replacingOccurrences(of: ",", with: "")) }
            for (name, value) in zip(cells[0].components(separatedBy: ", "), values) { constants[name] = value }
        }
        return constants
    }

    @Test func limitsAreTheSpecifications() throws {
        let constants = try Self.constants()
        func milliseconds(_ nanoseconds: UInt64) -> Double { Double(nanoseconds) / 1_000_000 }
        let ours: [String: Double] = [
            "DEFAULT_MAX_FRAME_PAYLOAD": Double(FramingLimits.defaultMaxPayload), "MAX_CLOSE_DETAIL": Double(FramingLimits.maxCloseDetail),
            "MAX_CREDIT": Double(FramingLimits.maxCredit), "EARLY_MAX_MESSAGE": Double(LinkConstants.minMaxMessage),
            "MAX_NAME": Double(LinkConstants.maxName), "MAX_SOFTWARE": Double(LinkConstants.maxSoftware), "MAX_LIST": Double(LinkConstants.maxListEntries),
            "MAX_SCREENS": Double(LinkConstants.maxScreens), "MAX_PROBE_ACKS": Double(LinkConstants.maxWaitingProbeAnswers),
            "LATE_MINIMUM": milliseconds(LinkConstants.lateMinimum), "LATE_MARGIN": milliseconds(LinkConstants.lateMargin),
            "CLOCK_INTERVAL": milliseconds(LinkConstants.clockInterval), "HANDSHAKE_TIMEOUT": milliseconds(LinkConstants.handshakeTimeout),
            "PAIRING_TIMEOUT": milliseconds(LinkConstants.pairingTimeout), "MAX_RESIDENT": Double(LinkConstants.maxResident),
        ]
        for (name, value) in ours { #expect(constants[name] == value, "\(name) is \(value)") }
    }

    /// What is exactly at a limit is taken, one more is not: of Hello.
    @Test func helloReachesItsLimits() throws {
        func closed(_ change: (inout Hello) -> Void) throws -> CloseCode? {
            var hello = Hello.with { $0.versionMin = 1; $0.versionMax = 1 }
            change(&hello)
            var car = LinkMachine.car()
            car.receive(message(.control, MessageType.hello, try hello.serializedBytes()), now: start)
            return car.takeEvents().closure?.code
        }
        let limits: [(Int, (inout Hello, Int) -> Void)] = [
            (64, { $0.name = String(repeating: "n", count: $1) }),
            (128, { $0.software = String(repeating: "s", count: $1) }),
            (64, { $0.capabilities = Array(repeating: 1, count: $1) }),
            (64, { $0.channels = Array(repeating: 1, count: $1) }),
            (64, { $0.audio.formats = Array(repeating: .init(), count: $1) }),
            (64, { $0.audio.microphone = Array(repeating: .init(), count: $1) }),
            (64, { $0.audio.sink = String(repeating: "s", count: $1) }),
            (0xFF_FFFF, { $0.limits.maxFramePayload = UInt32($1) }),
        ]
        for (limit, set) in limits {
            #expect(try closed { set(&$0, limit) } == nil)
            #expect(try closed { set(&$0, limit + 1) } == .badMessage)
        }
        for (least, set) in [(1_024, { $0.limits.maxFramePayload = $1 }), (1_048_576, { $0.limits.maxMessage = $1 })] as [(UInt32, (inout Hello, UInt32) -> Void)] {
            #expect(try closed { set(&$0, least) } == nil)
            #expect(try closed { set(&$0, least - 1) } == .badMessage)
            #expect(try closed { set(&$0, 0) } == nil)
        }
    }

    /// And of Welcome.
    @Test func welcomeReachesItsLimits() throws {
        func closed(_ change: (inout Welcome) -> Void) throws -> CloseCode? {
            var welcome = Welcome.test(channels: [1, 16]) { $0.version = 1 }
            change(&welcome)
            var phone = LinkMachine.phone()
            phone.receive(message(.control, MessageType.welcome, try welcome.serializedBytes()), now: start)
            return phone.takeEvents().closure?.code
        }
        let screen = try #require(Welcome.test.screens.first)
        func sized(_ change: (inout Screen) -> Void) -> [Screen] {
            var screen = screen
            change(&screen)
            return [screen]
        }
        for width in [1, 16_384] as [UInt32] { #expect(try closed { $0.screens = sized { $0.width = width } } == nil) }
        for width in [0, 16_385] as [UInt32] { #expect(try closed { $0.screens = sized { $0.width = width } } == .badMessage) }
        for height in [1, 16_384] as [UInt32] { #expect(try closed { $0.screens = sized { $0.height = height } } == nil) }
        for height in [0, 16_385] as [UInt32] { #expect(try closed { $0.screens = sized { $0.height = height } } == .badMessage) }
        for scale in [0.5, 8] as [Float] { #expect(try closed { $0.screens = sized { $0.scale = scale } } == nil) }
        for scale in [0.499, 8.001, .infinity] as [Float] { #expect(try closed { $0.screens = sized { $0.scale = scale } } == .badMessage) }
        #expect(try closed { $0.screens = Array(repeating: screen, count: 8) } == nil)
        #expect(try closed { $0.screens = Array(repeating: screen, count: 9) } == .badMessage)
        for (id, token) in [(15, 32), (17, 32), (16, 31), (16, 33)] {
            #expect(try closed { $0.sessionID = .init(repeating: 1, count: id); $0.resumeToken = .init(repeating: 1, count: token) } == .badMessage)
        }
        #expect(try closed { $0.version = 0 } == .versionUnsupported)
    }

    /// The highest version both speak.
    @Test(arguments: [(1, 1, 1, 7, 1), (1, 3, 1, 2, 2), (2, 3, 1, 2, 2), (1, 2, 2, 3, 2)] as [(UInt32, UInt32, UInt32, UInt32, UInt32)])
    func theHighestCommonVersion(_ low: UInt32, _ high: UInt32, _ least: UInt32, _ most: UInt32, _ chosen: UInt32) {
        let configuration = LinkMachine.car { $0.versions = low...high }.configuration
        let hello = Hello.with { $0.versionMin = least; $0.versionMax = most }
        #expect(Negotiation.problem(hello, versions: low...high) == nil)
        #expect(Negotiation.answer(.test, to: hello, configuration).version == chosen)
    }

    /// What the phone's owner is told is in force has been brought into range.
    @Test func theWelcomeInForceIsInRange() throws {
        var phone = LinkMachine.phone()
        let welcome = Welcome.test(channels: [1, 16]) { $0.version = 1; $0.liveness = .with { $0.probeIntervalMs = 1; $0.suspectAfterMs = 1; $0.deadAfterMs = 1; $0.graceMs = 1 } }
        phone.receive(message(.control, MessageType.welcome, try welcome.serializedBytes()), now: start)
        guard case .established(let inForce) = try #require(phone.takeEvents().first) else { return }
        #expect(inForce.liveness == .with { $0.probeIntervalMs = 10; $0.suspectAfterMs = 20; $0.deadAfterMs = 30; $0.graceMs = 1 })
        #expect(phone.timing?.message == inForce.liveness)
    }

    /// And no longer than the other end takes.
    @Test func messagesReachThePeersLimit() {
        var hello = Hello.test
        hello.limits.maxMessage = 1_500_000
        var (phone, car) = openPair(hello: hello, welcome: .test { $0.limits.maxMessage = 2_000_000 })
        func send(_ machine: inout LinkMachine, _ size: Int) -> SendResult { machine.send(channel: 16, type: 0x7F01, body: [UInt8](repeating: 0, count: size - 2), now: start) }
        #expect(send(&phone, 2_000_001) == .refused(.messageTooLarge(limit: 2_000_000)) && send(&phone, 2_000_000) == .queued)
        #expect(send(&car, 1_500_001) == .refused(.messageTooLarge(limit: 1_500_000)) && send(&car, 1_500_000) == .queued)
        _ = settle(&phone, &car)
        #expect(!phone.isClosed && !car.isClosed && phone.statistics.messagesIgnored == 1 && car.statistics.messagesIgnored == 1)
    }

    /// A message of exactly the channel's length is taken, one byte more is not, at both ends.
    @Test(arguments: [1, 2, 4, 5, 33, 48] as [ChannelID])
    func messagesReachTheirLimits(_ channel: ChannelID) throws {
        let limit = try #require(ChannelKind(channel)?.maxMessage)
        var (phone, car) = openPair()
        let body = [UInt8](repeating: 0, count: limit - 2)
        #expect(phone.send(channel: channel, type: 0x7F01, body: body + [0], now: start) == .refused(.messageTooLarge(limit: limit)))
        #expect(phone.send(channel: channel, type: 0x7F01, body: body, now: start) == .queued)
        _ = settle(&phone, &car)
        #expect(!car.isClosed && car.statistics.messagesIgnored == 1)
        for part in frames(message(channel, 0x7F01, body + [0])) {
            car.receive(part.header.bytes + part.payload, now: start)
            if !car.isClosed { _ = car.drain() } // credit for what is not limited by it
        }
        #expect(car.takeEvents().closure?.code == .messageTooLarge)
    }
}

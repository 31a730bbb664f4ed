import FasciaFraming
import FasciaWire
import FixtureSupport
import Testing

@testable import FasciaLink

/// Fixtures of kind `session`: everything one end receives, and what it makes of it.
struct SessionFixtureTests {
    /// One end with the application that `Fixtures/README.md` describes.
    struct Receiver {
        var machine: LinkMachine
        let isPhone: Bool
        let consumes: Bool
        var welcome = Welcome.test
        var answered = false
        var events: [LinkEvent] = []
        var sent: [UInt8] = []

        init(_ fixture: Fixture) {
            let local = fixture.entry["local"]
            isPhone = fixture.entry["receiver"]?.string == "phone"
            consumes = local?["consume"]?.bool ?? true
            let channels = (local?["channels"]?.array ?? []).compactMap(\.int).map { UInt32($0) }
            let listed = local?["capabilities"]?.array?.compactMap(\.int) ?? [1, 2, 3]
            let capabilities = listed.map { UInt32($0) }
            let limits = Limits.with {
                $0.maxFramePayload = UInt32(local?["max_frame_payload"]?.int ?? 0)
                $0.maxMessage = UInt32(local?["max_message"]?.int ?? 0)
            }
            let mode: LinkConfiguration.Mode = fixture.entry["mode"]?.string == "pairing" ? .pairing : .session
            let role: LinkConfiguration.Role = isPhone ? .phone(Hello.with { $0.channels = channels; $0.capabilities = capabilities; $0.audio = Hello.test.audio }) : .headUnit
            machine = LinkMachine(configuration: LinkConfiguration(role: role, mode: mode, limits: limits), now: start)
            welcome.channels = channels
            welcome.capabilities = capabilities
            welcome.limits = limits
            if mode == .pairing && isPhone { pair(MessageType.pairStart) }
            sent += machine.drain()
        }

        /// Takes a chunk; one that goes past Hello in two parts, because a phone has to wait for the answer with most of what follows.
        mutating func feed(_ bytes: ArraySlice<UInt8>, helloEnd: Int) {
            if bytes.startIndex < helloEnd && helloEnd < bytes.endIndex {
                take(bytes[..<helloEnd])
                take(bytes[helloEnd...])
            } else {
                take(bytes)
            }
        }

        private mutating func take(_ bytes: ArraySlice<UInt8>) {
            machine.receive(Array(bytes), now: start)
            while consumes || !answered, let event = machine.nextEvent() { took(event) }
            sent += machine.drain()
        }

        mutating func finish() {
            while let event = machine.nextEvent() { took(event) }
        }

        private mutating func took(_ event: LinkEvent) {
            events.append(event)
            switch event {
            case .helloReceived:
                machine.accept(welcome, now: start)
                answered = true
            case .message(_, MessageType.pairStart, _): pair(MessageType.pairReply)
            case .message(_, MessageType.pairReply, _): pair(MessageType.pairConfirm)
            case .message(_, MessageType.pairConfirm, _): pair(MessageType.pairDone)
            default: break
            }
        }

        private mutating func pair(_ type: UInt16) { _ = machine.send(channel: .control, type: type, body: [1], now: start) }

        /// The events that a fixture lists, in its words.
        var listed: [Listed] {
            events.compactMap { event in
                switch event {
                case .helloReceived(let hello): .message(0, MessageType.hello, try? hello.serializedBytes())
                case .established where isPhone: .message(0, MessageType.welcome, nil)
                case .message(let channel, let type, let body): .message(channel.rawValue, type, body)
                case .closed(let closure) where closure.initiator == .remote: .closed(closure.code.rawValue, closure.detail)
                default: nil
                }
            }
        }
    }

    /// How many bytes there are up to the end of Hello; 0 when there is none.
    static func helloEnd(_ bytes: [UInt8]) -> Int {
        var end = 0
        for frame in frames(bytes) {
            end += FramingLimits.headerSize + frame.payload.count
            if frame.header.isMessage && frame.header.channel == 0 && frame.payload.starts(with: [0, 1]) { return end }
        }
        return 0
    }

    enum Listed: Equatable {
        /// The body is nil where it cannot be compared byte by byte.
        case message(UInt16, UInt16, [UInt8]?)
        case closed(UInt32, String)
    }

    static func expected(_ event: JSON) -> (Listed, length: Int?)? {
        if event["event"]?.string == "closed" {
            return (.closed(UInt32(event["number"]?.int ?? -1), event["detail"]?.string ?? ""), nil)
        }
        guard let channel = event["channel"]?.int, let type = event["type"]?.int else { return nil }
        return (.message(UInt16(channel), UInt16(type), event["body"]?.hex), event["body_length"]?.int)
    }

    static func agree(_ found: Listed, _ wanted: (Listed, length: Int?)) -> Bool {
        switch (found, wanted.0) {
        case (.message(let channel, let type, let body), .message(let wantedChannel, let wantedType, let wantedBody)):
            if channel != wantedChannel || type != wantedType { return false }
            if let length = wanted.length { return body?.count == length }
            return body == nil || type == MessageType.hello || body == wantedBody
        default:
            return found == wanted.0
        }
    }

    @Test(arguments: Fixture.all("session"))
    func receives(_ fixture: Fixture) throws {
        let wanted = (fixture.expect["events"]?.array ?? []).compactMap(Self.expected)
        let isLong = fixture.bytes.count > 100_000
        let helloEnd = Self.helloEnd(fixture.bytes)
        for size in isLong ? [4_093, 65_536] : [1, 2, 3, 7, 16, 1_000, 10_000_000] {
            var receiver = Receiver(fixture)
            var fed = 0
            for chunk in fixture.bytes.chunks(of: size) {
                receiver.feed(chunk, helloEnd: helloEnd)
                fed += chunk.count
                guard size == 1, let within = fixture.errorWithin else { continue }
                if receiver.machine.isClosed ? fed < within.lowerBound : fed >= within.upperBound {
                    Issue.record("error shows at the wrong place, after \(fed) bytes")
                    break
                }
            }
            receiver.finish()
            let listed = receiver.listed
            #expect(listed.count == wanted.count, "chunks of \(size): \(receiver.events.names)")
            for (found, wanted) in zip(listed, wanted) { #expect(Self.agree(found, wanted), "chunks of \(size)") }
            let closure = receiver.events.closure
            if let number = fixture.errorNumber {
                #expect(closure?.code.rawValue == number && closure?.initiator == .local, "chunks of \(size)")
                #expect(frames(receiver.sent).last?.header.type == .close)
            } else {
                #expect(closure == nil || closure?.initiator == .remote, "chunks of \(size): \(closure?.detail ?? "")")
            }
            let acks = frames(receiver.sent).filter { $0.header.type == .probe && $0.header.flags == .ack }.map(\.payload)
            #expect(acks.map { Array($0.prefix(8)) } == (fixture.expect["probe_acks"]?.array ?? []).compactMap(\.hex), "chunks of \(size)")
        }
    }

    /// Field rules of Hello and Welcome.
    @Test(arguments: Fixture.all("message").filter { $0.name.hasPrefix("message/hello") || $0.name.hasPrefix("message/welcome") })
    func helloAndWelcomeRules(_ fixture: Fixture) {
        let isHello = fixture.entry["sender"]?.string == "phone"
        var machine = isHello ? LinkMachine.car() : LinkMachine.phone(.with { $0.channels = (0...63).map { UInt32($0) } })
        var bytes: [UInt8] = []
        FrameWriter.frame(.message, flags: .whole, channel: 0, payload: fixture.bytes, into: &bytes)
        machine.receive(bytes, now: start)
        let events = machine.takeEvents()
        #expect(events.closure?.code.rawValue == fixture.errorNumber, "\(events.closure?.detail ?? "")")
        if fixture.errorNumber == nil { #expect(events.count == 1) }
    }
}

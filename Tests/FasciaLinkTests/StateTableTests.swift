import FasciaFraming
import FasciaWire
import Testing

@testable import FasciaLink

/// Every state against every inbound event (spec: State table).
struct StateTableTests {
    enum Stage: CaseIterable, Sendable {
        case welcomeAwaited, resuming, speculating, helloAwaited, deciding, decidingResume, decidingSpeculation
        case phoneOpen, carOpen, carRefused, pairingPhone, pairingCar, pairingPhoneDone, closed

        var isPhone: Bool { [.welcomeAwaited, .resuming, .speculating, .phoneOpen, .pairingPhone, .pairingPhoneDone, .closed].contains(self) }

        /// What the phone may send on display and semantics is taken, or at least not wrong.
        var takesDisplay: Bool { [.phoneOpen, .carOpen, .carRefused, .deciding, .decidingSpeculation].contains(self) }
        var isOpen: Bool { [.phoneOpen, .carOpen, .carRefused].contains(self) }
        var takesCredit: Bool { isOpen || [.deciding, .decidingResume, .decidingSpeculation].contains(self) }

        private static func deciding(_ hello: Hello) -> LinkMachine {
            var phone = LinkMachine.phone(hello)
            var car = LinkMachine.car()
            car.receive(phone.drain(), now: start)
            _ = car.takeEvents()
            return car
        }

        func machine() -> LinkMachine {
            switch self {
            case .welcomeAwaited: return .phone()
            case .helloAwaited: return .car()
            case .deciding: return Self.deciding(.test)
            case .resuming: return .phone(.resuming(speculative: false))
            case .speculating: return .phone(.resuming(speculative: true))
            case .decidingResume: return Self.deciding(.resuming(speculative: false))
            case .decidingSpeculation: return Self.deciding(.resuming(speculative: true))
            case .carRefused:
                var car = Self.deciding(.resuming(speculative: true))
                car.accept(.test, now: start)
                _ = car.takeEvents()
                return car
            case .phoneOpen: return openPair().phone
            case .carOpen: return openPair().car
            case .pairingPhone:
                var phone = LinkMachine.phone { $0.mode = .pairing }
                _ = phone.send(channel: .control, type: MessageType.pairStart, body: [1], now: start)
                return phone
            case .pairingCar: return .car { $0.mode = .pairing }
            case .pairingPhoneDone:
                var phone = Self.pairingPhone.machine()
                phone.receive(message(.control, MessageType.pairReply), now: start)
                _ = phone.send(channel: .control, type: MessageType.pairConfirm, body: [1], now: start)
                phone.receive(message(.control, MessageType.pairDone), now: start)
                _ = phone.takeEvents()
                return phone
            case .closed:
                var phone = LinkMachine.phone()
                phone.close(.goodbye, detail: "", now: start)
                _ = phone.takeEvents()
                return phone
            }
        }
    }

    /// What a well-formed message of each type meets; nil = nothing wrong.
    static func expected(_ stage: Stage, _ type: UInt16, on kind: ChannelKind) -> CloseCode? {
        if stage == .closed { return nil }
        let rule = MessageRule.of(type)!
        let fromPeer = rule.allows(kind, from: stage.isPhone ? .headUnit : .phone)
        let isOpenChannel: Bool
        switch stage {
        case .phoneOpen, .carOpen, .carRefused: isOpenChannel = true
        case .deciding, .decidingSpeculation: isOpenChannel = kind == .control || kind.isOptimistic
        default: isOpenChannel = kind == .control
        }
        if !isOpenChannel { return .illegalMessage }
        if !fromPeer { return .illegalMessage }
        switch (stage, rule.phase) {
        case (.phoneOpen, .session), (.carOpen, .session), (.carRefused, .session), (.deciding, .session), (.decidingSpeculation, .session): return nil
        case (.carRefused, .negotiation): return type == MessageType.proceed ? nil : .illegalMessage
        case (.welcomeAwaited, .negotiation), (.resuming, .negotiation), (.speculating, .negotiation), (.helloAwaited, .negotiation):
            return type == MessageType.proceed ? .illegalMessage : nil
        case (.pairingPhone, .pairing): return type == MessageType.pairReply ? nil : .illegalMessage
        case (.pairingCar, .pairing): return type == MessageType.pairStart ? nil : .illegalMessage
        default: return .illegalMessage
        }
    }

    static func body(_ type: UInt16) -> [UInt8] {
        switch type {
        case MessageType.hello: (try? Hello.with { $0.versionMin = 1; $0.versionMax = 1 }.serializedBytes()) ?? []
        case MessageType.welcome: (try? Welcome.test(channels: [16]) { $0.version = 1 }.serializedBytes()) ?? []
        default: []
        }
    }

    static func channel(_ kind: ChannelKind) -> ChannelID {
        switch kind {
        case .control: .control
        case .input: .input
        case .vehicle: .vehicle
        case .semantics: .semantics
        case .display: .mainDisplay
        case .ownership: .ownership
        case .audioOut: 33
        case .audioIn: .audioIn
        }
    }

    /// The kinds of channels on which some end may send `type`.
    static func kinds(_ type: UInt16) -> [ChannelKind] {
        let rule = MessageRule.of(type)!
        return ChannelKind.allCases.filter { rule.allows($0, from: .phone) || rule.allows($0, from: .headUnit) }
    }

    @Test(arguments: Stage.allCases)
    func messages(_ stage: Stage) {
        for (type, kind) in MessageType.all.flatMap({ type in Self.kinds(type).map { (type, $0) } }) {
            var machine = stage.machine()
            machine.receive(message(Self.channel(kind), type, Self.body(type)), now: start)
            let events = machine.takeEvents()
            #expect(events.closure?.code == Self.expected(stage, type, on: kind), "\(stage) \(MessageType.name(type) ?? "") on \(kind)")
            if stage == .closed { #expect(events.isEmpty) }
            if let closure = events.closure {
                #expect(closure.initiator == .local)
                #expect(machine.isClosed && machine.nextDeadline == nil)
                let last = frames(machine.drain()).last
                #expect(last?.header.type == .close)
            }
        }
    }

    @Test(arguments: Stage.allCases)
    func messagesOnWrongChannels(_ stage: Stage) {
        for type in MessageType.all {
            let kinds = Self.kinds(type)
            for kind in ChannelKind.allCases where !kinds.contains(kind) {
                var machine = stage.machine()
                machine.receive(message(Self.channel(kind), type), now: start)
                let code = machine.takeEvents().closure?.code
                let allowed: Set<CloseCode?> = stage == .closed ? [nil] : [.illegalMessage, .illegalMessage]
                #expect(allowed.contains(code), "\(stage) \(MessageType.name(type) ?? "") on \(kind)")
            }
        }
    }

    struct Other: Sendable {
        let name: String
        let bytes: [UInt8]
        let expected: @Sendable (Stage) -> CloseCode?
    }

    static let others: [Other] = [
        Other(name: "unknown frame", bytes: frame(FrameType(rawValue: 0x99), flags: FrameFlags(rawValue: 0xFF), channel: 77, [1, 2]), expected: { _ in nil }),
        Other(name: "GREASE frame", bytes: frame(FrameType(rawValue: 0x0A), []), expected: { _ in nil }),
        Other(name: "unknown control message", bytes: message(.control, 0x0A0A, [1]), expected: { _ in nil }),
        Other(name: "PROBE", bytes: frame(.probe, [1, 2, 3, 4, 5, 6, 7, 8]), expected: { _ in nil }),
        Other(name: "PROBE answer to nothing", bytes: frame(.probe, flags: .ack, [1, 2, 3, 4, 5, 6, 7, 8]), expected: { _ in nil }),
        Other(
            name: "CREDIT", bytes: credit(10, 16),
            expected: { $0.takesCredit || $0 == .closed ? nil : .illegalMessage }),
        Other(
            name: "CREDIT of 0", bytes: credit(0, 16),
            expected: { $0 == .closed ? nil : $0.takesCredit ? .creditExceeded : .illegalMessage }),
        Other(
            name: "CREDIT on control", bytes: credit(10, .control),
            expected: { $0 == .closed ? nil : $0.takesCredit ? .creditExceeded : .illegalMessage }),
        Other(
            name: "CREDIT over the top", bytes: credit(0x7FFF_FFFF, 16),
            expected: { $0 == .closed ? nil : $0.takesCredit ? .creditExceeded : .illegalMessage }),
        Other(
            name: "unknown message on display", bytes: message(16, 0x7777),
            expected: { $0.takesDisplay || $0 == .closed ? nil : .illegalMessage }),
        Other(name: "message on a reserved channel", bytes: message(.metadata, 0x7777), expected: { $0 == .closed ? nil : .illegalMessage }),
        Other(name: "message on channel 65535", bytes: message(0xFFFF, 0x7777), expected: { $0 == .closed ? nil : .illegalMessage }),
        Other(name: "continuation", bytes: frame(.message, flags: .last, [1]), expected: { $0 == .closed ? nil : .badFragment }),
        Other(
            name: "first twice", bytes: frame(.message, flags: .first, [0x77, 0x77]) + frame(.message, flags: .first, [0x77, 0x77]),
            expected: { $0 == .closed ? nil : .badFragment }),
        Other(name: "oversized", bytes: [0xFF, 0xFF, 0xFF, 1, 3, 0, 0, 0], expected: { $0 == .closed ? nil : .frameTooLarge }),
        Other(name: "reserved byte", bytes: [0, 0, 2, 1, 3, 1, 0, 0, 0, 0], expected: { $0 == .closed ? nil : .protocolError }),
        Other(name: "an HTTP client", bytes: Array("GET / HTTP/1.1\r\n\r\n".utf8), expected: { $0 == .closed ? nil : .protocolError }),
    ]

    @Test(arguments: Stage.allCases)
    func otherFrames(_ stage: Stage) {
        for other in Self.others {
            var machine = stage.machine()
            machine.receive(other.bytes, now: start)
            let events = machine.takeEvents()
            #expect(events.closure?.code == other.expected(stage), "\(stage): \(other.name)")
            if other.expected(stage) == nil { #expect(events.isEmpty, "\(stage): \(other.name)") }
        }
    }

    @Test(arguments: Stage.allCases)
    func closeFrame(_ stage: Stage) {
        var bytes: [UInt8] = []
        FrameWriter.close(code: CloseCode.shutdown.rawValue, detail: "off", into: &bytes)
        var machine = stage.machine()
        machine.receive(bytes + [1, 2, 3], now: start)
        let events = machine.takeEvents()
        if stage == .closed {
            #expect(events.isEmpty)
            return
        }
        #expect(events.closure?.code == .shutdown)
        #expect(events.closure?.initiator == .remote)
        #expect(events.closure?.detail == "off")
        #expect(events.closure?.evidence.map(\.kind) == [.goodbye])
        #expect(machine.drain().isEmpty)
    }

    @Test(arguments: Stage.allCases)
    func localEvents(_ stage: Stage) {
        var machine = stage.machine()
        machine.transportEnded(.reset, now: start)
        let lost = machine.takeEvents()
        #expect(lost.closure?.code == (stage == .closed ? nil : .transportLost))
        #expect(lost.closure?.evidence.first?.kind == (stage == .closed ? nil : .reset))
        machine = stage.machine()
        machine.close(.goodbye, detail: "bye", now: start)
        machine.close(.busy, detail: "again", now: start)
        machine.transportEnded(.fin, now: start)
        #expect(machine.takeEvents().names == (stage == .closed ? [] : ["closed GOODBYE local"]))
        machine = stage.machine()
        machine.deadlineReached(now: .max)
        let late = machine.takeEvents()
        switch stage {
        case .closed: #expect(late.isEmpty)
        case .phoneOpen, .carOpen, .carRefused: #expect(late.names == ["suspected silence"])
        default: #expect(late.names == ["closed HANDSHAKE_TIMEOUT local"])
        }
        machine = stage.machine()
        let accepted = machine.accept(.test, now: start)
        #expect(accepted == [.deciding, .decidingResume, .decidingSpeculation].contains(stage))
    }

    /// What each state lets its owner send.
    @Test(arguments: Stage.allCases)
    func sending(_ stage: Stage) {
        for (type, kind) in MessageType.all.flatMap({ type in Self.kinds(type).map { (type, $0) } }) {
            let rule = MessageRule.of(type)!
            var machine = stage.machine()
            let result = machine.send(channel: Self.channel(kind), type: type, body: [], now: start)
            let own = rule.allows(kind, from: stage.isPhone ? .phone : .headUnit)
            let expected: SendResult
            switch stage {
            case .closed: expected = .refused(.closed)
            case .phoneOpen, .carOpen, .carRefused:
                expected = own && rule.phase == .session ? .queued : .refused(.illegalMessage)
            case .resuming: expected = .refused(kind == .control ? .illegalMessage : .channelNotOpen)
            case .welcomeAwaited, .speculating:
                let open = kind == .control || kind.isOptimistic
                expected = !open ? .refused(.channelNotOpen) : own && rule.phase == .session ? .queued : .refused(.illegalMessage)
            case .pairingCar, .pairingPhone, .pairingPhoneDone, .helloAwaited, .deciding, .decidingResume, .decidingSpeculation:
                expected = .refused(kind == .control ? .illegalMessage : .channelNotOpen)
            }
            #expect(result == expected, "\(stage) \(MessageType.name(type) ?? "")")
        }
    }
}

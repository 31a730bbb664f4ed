import FasciaFraming
import FasciaLink
import FasciaWire

/// Milliseconds as nanoseconds.
func ms(_ value: UInt64) -> UInt64 { value * 1_000_000 }

let start: LinkInstant = ms(1_000)

extension Hello {
    static let test = Hello.with {
        $0.name = "Test phone"
        $0.capabilities = [1, 2, 3]
        $0.channels = [1, 2, 4, 5, 16, 33, 48]
        $0.audio.formats = [.with { $0.codec = .pcm16; $0.sampleRate = 48_000; $0.channels = 2 }]
    }

    static func resuming(speculative: Bool) -> Hello {
        var hello = test
        hello.resume = Resume.with {
            $0.sessionID = .init(repeating: 7, count: 16)
            $0.token = .init(repeating: 6, count: 32)
            $0.speculative = speculative
        }
        return hello
    }
}

extension Welcome {
    /// With the usual channels of the screens.
    static let test = test()

    static func test(channels: [UInt32] = [], _ change: (inout Welcome) -> Void = { _ in }) -> Welcome {
        var welcome = base
        welcome.channels = channels
        change(&welcome)
        return welcome
    }

    private static let base = Welcome.with {
        $0.name = "Test car"
        $0.capabilities = [1, 2]
        $0.sessionID = .init(repeating: 7, count: 16)
        $0.resumeToken = .init(repeating: 8, count: 32)
        $0.screens = [Screen.with { $0.channel = 16; $0.width = 800; $0.height = 480; $0.scale = 2 }]
        $0.audio.formats = [.with { $0.codec = .pcm16; $0.sampleRate = 48_000; $0.channels = 2 }]
        $0.audio.microphone = $0.audio.formats
    }
}

extension LinkMachine {
    static func phone(_ hello: Hello = .test, now: LinkInstant = start, _ change: (inout LinkConfiguration) -> Void = { _ in }) -> LinkMachine {
        var configuration = LinkConfiguration(role: .phone(hello))
        change(&configuration)
        return LinkMachine(configuration: configuration, now: now)
    }

    static func car(now: LinkInstant = start, _ change: (inout LinkConfiguration) -> Void = { _ in }) -> LinkMachine {
        var configuration = LinkConfiguration(role: .headUnit)
        change(&configuration)
        return LinkMachine(configuration: configuration, now: now)
    }

    /// Everything that can be sent now.
    mutating func drain(now: LinkInstant = start) -> [UInt8] {
        var bytes: [UInt8] = []
        while transmit(upTo: 65_536, into: &bytes, now: now) > 0 {}
        return bytes
    }

    /// The same, and it stays.
    func peek(now: LinkInstant = start) -> [UInt8] {
        var copy = self
        return copy.drain(now: now)
    }

    mutating func takeEvents() -> [LinkEvent] {
        var events: [LinkEvent] = []
        while let event = nextEvent() { events.append(event) }
        return events
    }
}

/// A phone and a car whose channels are open, with all events taken.
func openPair(
    hello: Hello = .test, welcome: Welcome = .test, phone changePhone: (inout LinkConfiguration) -> Void = { _ in },
    car changeCar: (inout LinkConfiguration) -> Void = { _ in }
) -> (phone: LinkMachine, car: LinkMachine) {
    var phone = LinkMachine.phone(hello, changePhone)
    var car = LinkMachine.car(changeCar)
    car.receive(phone.drain(), now: start)
    car.accept(welcome, now: start)
    _ = settle(&phone, &car)
    return (phone, car)
}

/// Moves everything that can be moved between two machines.
func settle(_ phone: inout LinkMachine, _ car: inout LinkMachine, now: LinkInstant = start) -> (phone: [LinkEvent], car: [LinkEvent]) {
    var events: (phone: [LinkEvent], car: [LinkEvent]) = ([], [])
    while true {
        let toCar = phone.drain(now: now)
        car.receive(toCar, now: now)
        events.car += car.takeEvents()
        let toPhone = car.drain(now: now)
        phone.receive(toPhone, now: now)
        events.phone += phone.takeEvents()
        if toCar.isEmpty && toPhone.isEmpty { return events }
    }
}

/// Bytes of one message.
func message(_ channel: ChannelID, _ type: UInt16, _ body: [UInt8] = [], maxPayload: Int = FramingLimits.defaultMaxPayload) -> [UInt8] {
    var bytes: [UInt8] = []
    FrameWriter.message(channel: channel.rawValue, type: type, body: body, maxPayload: maxPayload, into: &bytes)
    return bytes
}

func frame(_ type: FrameType, flags: FrameFlags = [], channel: ChannelID = .control, _ payload: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = []
    FrameWriter.frame(type, flags: flags, channel: channel.rawValue, payload: payload, into: &bytes)
    return bytes
}

func credit(_ bytes: UInt32, _ channel: ChannelID) -> [UInt8] {
    var frame: [UInt8] = []
    FrameWriter.credit(bytes, channel: channel.rawValue, into: &frame)
    return frame
}

/// Frames in `bytes`, which must be whole.
func frames(_ bytes: [UInt8], maxPayload: Int = FramingLimits.maxMaxPayload) -> [FrameParser.Frame] {
    var parser = FrameParser(maxPayload: maxPayload)
    return parser.frames(bytes)
}

extension LinkEvent {
    var closure: LinkClosure? {
        if case .closed(let closure) = self { closure } else { nil }
    }

    var name: String {
        switch self {
        case .helloReceived: "hello"
        case .established: "established"
        case .message(let channel, let type, let body): "\(channel) \(MessageType.name(type) ?? "\(type)") \(body.count)"
        case .late: "late"
        case .suspected(let evidence): "suspected \(evidence.kind.rawValue)"
        case .recovered: "recovered"
        case .closed(let closure): "closed \(closure.code) \(closure.initiator.rawValue)"
        }
    }
}

extension [LinkEvent] {
    var names: [String] { map(\.name) }
    var closure: LinkClosure? { lazy.compactMap(\.closure).first }

    /// Message bodies in order.
    var bodies: [[UInt8]] {
        compactMap { if case .message(_, _, let body) = $0 { body } else { nil } }
    }
}

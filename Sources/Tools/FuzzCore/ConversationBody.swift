import FasciaFraming
import FasciaLink
import FasciaWire

/// Input: configuration (2 bytes), then commands of two honest ends. Nobody may be accused of anything, and every message arrives
/// whole and in order on its channel.
@Sendable func checkConversation(_ input: [UInt8]) -> String? {
    var input = FuzzInput(input)
    var conversation = Conversation(input.byte(), resuming: input.byte())
    while !input.isEmpty {
        let command = input.byte()
        switch command & 7 {
        case 0...2: conversation.say(fromPhone: command & 8 == 0, what: command >> 4, size: input.byte())
        case 3...5: conversation.travel(toPhone: command & 8 == 0, limit: 1 + Int(input.byte()) * (command & 16 == 0 ? 1 : 257))
        case 6: conversation.wait(milliseconds: UInt64(command >> 3))
        default:
            conversation.consumes = command & 8 == 0
            if command & 16 != 0 { conversation.take(Int(command >> 5) * 10) }
        }
        if let problem = conversation.problem { return problem }
    }
    conversation.consumes = true
    for _ in 0..<64 where conversation.travel(toPhone: true, limit: .max) | conversation.travel(toPhone: false, limit: .max) {}
    return conversation.problem ?? conversation.loss
}

extension Bool {
    fileprivate static func | (left: Bool, right: Bool) -> Bool { left || right }
}

private struct Conversation {
    var ends: [LinkMachine]
    var now: UInt64 = 1
    /// What was sent and has not arrived, by receiving end and channel.
    var expected: [[ChannelID: [(UInt16, Int)]]] = [[:], [:]]
    /// Whether messages are taken as they come.
    var consumes = true
    var problem: String?
    private var isOver = false
    private var isEstablished = [false, false]
    /// Whether the head unit takes up the session it is offered.
    private let resumes: Bool
    private let isSpeculative: Bool
    private var serial: UInt8 = 0

    private static let phone = 0
    private static let headUnit = 1

    init(_ byte: UInt8, resuming: UInt8) {
        resumes = resuming & 3 == 3
        isSpeculative = resuming & 1 == 1
        var phone = LinkConfiguration(role: .phone(LinkGreetings.hello))
        if isSpeculative {
            let flight = FirstFlight(hello: LinkGreetings.speculativeHello, messages: [.init(channel: .mainDisplay, type: MessageType.commit, body: [1])])
            phone.role = .phone(flight.hello)
        }
        var headUnit = LinkConfiguration(role: .headUnit)
        if byte & 1 != 0 { phone.greaseSeed = UInt64(byte) }
        if byte & 2 != 0 { headUnit.greaseSeed = UInt64(byte) &+ 1 }
        phone.limits.maxFramePayload = [0, 1_024, 5_000, 70_000][Int(byte >> 2 & 3)]
        headUnit.limits.maxFramePayload = [0, 1_024, 5_000, 70_000][Int(byte >> 4 & 3)]
        headUnit.limits.maxMessage = byte & 64 == 0 ? 0 : 1_048_576
        ends = [LinkMachine(configuration: phone, now: now), LinkMachine(configuration: headUnit, now: now)]
    }

    mutating func say(fromPhone: Bool, what: UInt8, size: UInt8) {
        let sender = fromPhone ? Self.phone : Self.headUnit
        let (channel, type): (ChannelID, UInt16) =
            if what >= 12 {
                fromPhone
                    ? [(.ownership, MessageType.ownershipRequest), (33, MessageType.streamStart), (33, MessageType.audioPacket), (.audioIn, MessageType.streamStop)][Int(what & 3)]
                    : [(.ownership, MessageType.ownershipState), (33, MessageType.streamStarted), (.audioIn, MessageType.audioPacket), (.audioIn, MessageType.streamStop)][Int(what & 3)]
            } else if fromPhone {
                [(.mainDisplay, MessageType.commit), (.mainDisplay, MessageType.resource), (.semantics, MessageType.semanticsUpdate),
                 (ChannelID(17), MessageType.commit)][Int(what & 3)]
            } else {
                [(.input, MessageType.touch), (.vehicle, MessageType.vehicleState), (.mainDisplay, MessageType.presented), (.input, MessageType.knob)][Int(what & 3)]
            }
        serial &+= 1
        let length = size < 200 ? Int(size) : size == 255 && fromPhone ? 70_000 : Int(size) * 16
        let body = [UInt8](repeating: serial, count: length)
        if ends[sender].send(channel: channel, type: type, body: body, now: now) == .queued {
            expected[1 - sender][channel, default: []].append((type, length &<< 8 | Int(length == 0 ? 0 : serial)))
        }
    }

    /// - Returns: whether anything moved.
    @discardableResult
    mutating func travel(toPhone: Bool, limit: Int) -> Bool {
        let receiver = toPhone ? Self.phone : Self.headUnit
        let sender = 1 - receiver
        var bytes: [UInt8] = []
        _ = ends[sender].transmit(upTo: min(limit, 4 << 20), into: &bytes, now: now)
        if !bytes.isEmpty { ends[receiver].receive(bytes, now: now) }
        return listen(receiver) || !bytes.isEmpty
    }

    mutating func wait(milliseconds: UInt64) {
        // Each less than any deadline; many of them in a row may end a connection by its timers, and that is nobody's fault.
        now += milliseconds * 1_000_000
        for end in ends.indices {
            ends[end].deadlineReached(now: now)
            _ = listen(end)
        }
    }

    /// Takes some of what both ends keep waiting.
    mutating func take(_ count: Int) {
        for end in ends.indices { _ = listen(end, atMost: count) }
    }

    private mutating func listen(_ end: Int, atMost count: Int = 0) -> Bool {
        var heard = false, left = count
        while consumes || !isEstablished[end] || left > 0, let event = ends[end].nextEvent() {
            heard = true
            left -= 1
            switch event {
            case .helloReceived:
                var welcome = LinkGreetings.welcome
                if resumes { welcome.resumed = .init() }
                ends[end].accept(welcome, now: now)
            case .established(let welcome):
                isEstablished[end] = true
                // Speculation on a session that was not resumed is void.
                if end == Self.phone, isSpeculative, !welcome.hasResumed { expected[Self.headUnit] = [:] }
                // What was said on channels that did not open is dropped.
                for receiver in expected.indices {
                    expected[receiver] = expected[receiver].filter { welcome.channels.contains(UInt32($0.key.rawValue)) }
                }
            case .message where isOver: break // what was on its way when one end gave up
            case .message(let channel, let type, let body):
                guard let next = expected[end][channel]?.first else { problem = problem ?? "a message nobody sent on \(channel)"; break }
                expected[end][channel]?.removeFirst()
                if next != (type, body.count &<< 8 | Int(body.first ?? 0)) || body.last != body.first { problem = problem ?? "another message than was sent on \(channel)" }
            case .closed(let closure):
                if closure.evidence.first?.kind == .violation || closure.initiator == .remote && ![.timeout, .handshakeTimeout].contains(closure.code) {
                    problem = problem ?? "accused: \(closure.code) \(closure.detail)"
                }
                isOver = true
            case .late, .suspected, .recovered: break
            }
        }
        return heard
    }

    /// Messages that did not arrive although everything was delivered; their number.
    var loss: String? {
        guard ends.allSatisfy({ !$0.isClosed && $0.isOpen }) else { return nil }
        let lost = expected.reduce(0) { $0 + $1.values.reduce(0) { $0 + $1.count } }
        return lost == 0 ? nil : "\(lost) messages did not arrive"
    }
}

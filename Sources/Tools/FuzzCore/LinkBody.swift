import FasciaFraming
import FasciaLink
import FasciaWire

/// Input: configuration (1 byte), then commands. Each command goes to two machines; one gets received bytes in one piece, the
/// other one in small ones, perhaps without queueing them. Both must say and send the same.
@Sendable func checkLink(_ input: [UInt8]) -> String? {
    var input = FuzzInput(input)
    let configuration = input.byte()
    var whole = LinkSubject(configuration)
    var cut = LinkSubject(configuration, lends: configuration & 128 != 0)
    let piece = [1, 3, 7, 18][Int(configuration >> 4 & 3)]
    while !input.isEmpty {
        let command = LinkCommand(&input)
        whole.perform(command, piece: .max)
        cut.perform(command, piece: piece)
        if whole.said != cut.said { return "events differ: \(whole.said) and \(cut.said)" }
        if !sameBytes(whole.sent, cut.sent[...]) { return "sent bytes differ" }
        if let problem = whole.problem() { return problem }
        // Where they stand is the same as well, not only what they said.
        if whole.machine.nextDeadline != cut.machine.nextDeadline || whole.machine.isSuspect != cut.machine.isSuspect { return "deadlines differ" }
        if whole.machine.isLate != cut.machine.isLate || whole.machine.timing != cut.machine.timing { return "timings differ" }
        if whole.machine.clockEstimate != cut.machine.clockEstimate { return "the peer's clock differs" }
        if let clock = whole.machine.clockEstimate, let problem = whole.problem(clock) { return problem }
        if whole.machine.isClosed, whole.quietCommands > 2 { break }
    }
    var (one, other) = (whole.machine.statistics, cut.machine.statistics)
    if whole.machine.isClosed { (one.bytesIn, other.bytesIn) = (0, 0) } // what came behind the end counts to the piece it was in
    return one == other ? nil : "statistics differ: \(one) and \(other)"
}

/// A machine and what it did at the last command.
struct LinkSubject {
    var machine: LinkMachine
    var now: UInt64 = 1
    private(set) var said: [Said] = []
    private(set) var sent: [UInt8] = []
    /// Commands since the end.
    private(set) var quietCommands = 0
    private var received = 0
    private var hasClosed = false
    private var refusal: String?
    private var parser = FrameParser(maxPayload: FramingLimits.maxMaxPayload)

    /// Whether received messages are lent out at once.
    private let lends: Bool

    init(_ byte: UInt8, lends: Bool = false) {
        self.lends = lends
        var configuration = LinkConfiguration(role: byte & 1 == 0 ? .headUnit : .phone(byte & 64 == 0 ? LinkGreetings.hello : LinkGreetings.speculativeHello))
        configuration.mode = byte & 2 == 0 ? .session : .pairing
        configuration.greaseSeed = byte & 4 == 0 ? nil : UInt64(byte)
        configuration.sendQueueLimit = { _ in 300_000 }
        machine = LinkMachine(configuration: configuration, now: now)
        machine.deliversSoundDirectly = !lends && byte & 0xB0 == 0x30
        machine.needsClock = byte & 0x30 == 0x10
        // So that the fuzzer need not find a Hello or a Welcome by itself.
        if byte & 8 != 0, configuration.mode == .session {
            let toHeadUnit = byte & 64 == 0 ? LinkGreetings.toHeadUnit : LinkGreetings.speculativeToHeadUnit
            machine.receive(configuration.end == .headUnit ? toHeadUnit : LinkGreetings.toPhone, now: now)
            received += 1_000
        }
        settle()
    }

    mutating func perform(_ command: LinkCommand, piece: Int) {
        said.removeAll(keepingCapacity: true)
        sent.removeAll(keepingCapacity: true)
        if machine.isClosed { quietCommands += 1 }
        switch command {
        case .receive(let bytes):
            received += bytes.count
            unsafe bytes.withUnsafeBytes { buffer in
                var start = 0
                while start < buffer.count {
                    let end = piece < buffer.count - start ? start + piece : buffer.count
                    let part = unsafe UnsafeRawBufferPointer(rebasing: buffer[start..<end])
                    if lends { unsafe lend(part) } else { unsafe machine.receive(part, now: now) }
                    start = end
                }
            }
        case .time(let nanoseconds):
            now += nanoseconds
            machine.deadlineReached(now: now)
        case .send(let channel, let type, let size):
            let room = machine.sendCapacity(ChannelID(channel))
            let body = LinkGreetings.body(size)
            let result = size & 1 == 0 ? machine.send(channel: ChannelID(channel), type: type, body: body, now: now)
                : machine.send(channel: ChannelID(channel), type: type, body: body[...], now: now)
            if case .refused(.queueFull) = result, room >= size + 2 { refusal = "\(size) bytes do not fit into \(room)" }
            if result == .queued, room == 0 { refusal = "queued where nothing fits" }
            said.append(.sending(result))
        case .close(let code): machine.close(code, detail: "enough", now: now)
        case .accept(let channels, let resumed, let isPatient):
            var welcome = LinkGreetings.welcome
            welcome.channels = channels
            if resumed { welcome.resumed = .init() }
            if isPatient {
                welcome.liveness = LinkGreetings.patient
                welcome.limits.maxFramePayload = 2_000
            }
            machine.accept(welcome, now: now)
        case .transportEnded(let end): machine.transportEnded(end, now: now)
        case .evidence: machine.observe(Evidence(.carrierLost, at: now), now: now)
        }
        settle()
    }

    private mutating func lend(_ bytes: UnsafeRawBufferPointer) {
        var heard: [Said] = []
        unsafe machine.receive(
            bytes, now: now, onMessage: { unsafe heard.append(.message($0, $1, Bytes(Array($2)))) }, onEvent: { heard.append(Said($0)) })
        said += heard
    }

    private mutating func settle() {
        while let event = machine.nextEvent() { said.append(Said(event)) }
        while let message = machine.nextDirectMessage() { said.append(.direct(message.channel, message.type, Bytes(message.body))) }
        while machine.transmit(upTo: 5_000, into: &sent, now: now) > 0 {}
    }

    /// Whatever clock a peer tells, times can be asked for; near to now one end's time is the other's.
    func problem(_ clock: ClockEstimate) -> String? {
        for time in [0, .max, 1 << 63, now] { _ = (clock.peerTime(time), clock.localTime(time)) }
        // A thousandth of a thousandth of what has passed since is left out, and Double's last places.
        let away = Int64(bitPattern: clock.localTime(clock.peerTime(now)) &- now).magnitude
        return away <= (now - min(now, clock.at)) / 500_000 + 1_000 ? nil : "\(away) ns are lost from clock to clock"
    }

    /// Rules that hold whatever came in.
    mutating func problem() -> String? {
        unsafe sent.withUnsafeBytes { bytes in _ = unsafe parser.receive(bytes) { _, _ in true } }
        if let failure = parser.failure { return "sent a bad frame: \(failure)" }
        if let refusal { return refusal }
        if machine.wantsTransmit { return "nothing to send, but it wants to" }
        if hasClosed, !said.allSatisfy(\.isSending) { return "something was said after the end" }
        if let end = said.firstIndex(where: \.isClosed) {
            hasClosed = true
            if !machine.isClosed { return "closed event of an open machine" }
            if said[(end + 1)...].contains(where: { !$0.isSending && !$0.isDirect }) { return "something was said after the end" }
        } else if machine.isClosed, !hasClosed {
            return "closed without an event"
        }
        if machine.isClosed, machine.nextDeadline != nil { return "a deadline after the end" }
        if machine.isClosed, machine.heldBytes > 0 { return "\(machine.heldBytes) bytes are held after the end" }
        return machine.heldBytes <= received ? nil : "\(machine.heldBytes) bytes are held of \(received) received"
    }
}

/// An event, comparable. What the protocol says nothing about (texts for people) is left out.
enum Said: Equatable {
    case hello(Hello)
    case established(Welcome)
    case message(ChannelID, UInt16, Bytes)
    case direct(ChannelID, UInt16, Bytes)
    case closed(CloseCode, LinkClosure.Initiator, [Evidence.Kind])
    case other(Int, UInt64)
    case sending(SendResult)

    init(_ event: LinkEvent) {
        switch event {
        case .helloReceived(let hello): self = .hello(hello)
        case .established(let welcome): self = .established(welcome)
        case .message(let channel, let type, let body): self = .message(channel, type, Bytes(body))
        case .late(let silence): self = .other(0, silence)
        case .suspected(let evidence): self = .other(1, evidence.at)
        case .recovered(let silence): self = .other(2, silence)
        case .closed(let closure): self = .closed(closure.code, closure.initiator, closure.evidence.map(\.kind))
        }
    }

    var isClosed: Bool { if case .closed = self { true } else { false } }
    var isDirect: Bool { if case .direct = self { true } else { false } }
    var isSending: Bool { if case .sending = self { true } else { false } }
}

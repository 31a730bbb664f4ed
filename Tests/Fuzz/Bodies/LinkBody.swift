import FasciaFraming
import FasciaLink
import FasciaWire

/// Input: configuration (1 byte), then commands. Each command goes to two machines; one gets received bytes in one piece, the
/// other one by one. Both must say and send the same.
func checkLink(_ input: [UInt8]) -> String? {
    var input = FuzzInput(input)
    let configuration = input.byte()
    var whole = Subject(configuration)
    var cut = Subject(configuration)
    while !input.isEmpty {
        let command = Command(&input)
        whole.perform(command, single: false)
        cut.perform(command, single: true)
        if whole.log != cut.log { return "events differ: \(whole.log) and \(cut.log)" }
        if whole.sent != cut.sent { return "sent bytes differ" }
        if let problem = whole.problem() { return problem }
    }
    return nil
}

private enum Command {
    case receive([UInt8])
    case time(UInt64)
    case send(channel: UInt16, type: UInt16, size: Int)
    case close
    case accept(channels: [UInt32])
    case transportEnded
    case evidence

    init(_ input: inout FuzzInput) {
        switch input.byte() % 12 {
        case 0...2:
            // Anything.
            self = .receive(input.take(Int(input.byte())))
        case 3...5:
            // A frame that is well formed as far as its length goes.
            let type = FrameType(rawValue: input.byte())
            let flags = FrameFlags(rawValue: input.byte())
            let channel = UInt16(input.byte() & 0x3F)
            let payload = input.take(Int(input.byte()))
            self = .receive(FrameHeader(length: payload.count, type: type, flags: flags, channel: channel).bytes + payload)
        case 6:
            // A whole message of a known type on its channel, its body made up.
            let type = MessageType.all[Int(input.byte()) % MessageType.all.count]
            let channels: [ChannelID] = [.control, .input, .vehicle, .semantics, .mainDisplay]
            let channel = channels[Int(input.byte()) % channels.count].rawValue
            var bytes: [UInt8] = []
            let size = Int(input.byte()) * 16
            FrameWriter.message(channel: channel, type: type, body: input.take(size) + [UInt8](repeating: 0, count: size / 2), maxPayload: 100, into: &bytes)
            self = .receive(bytes)
        case 7:
            self = .time(UInt64(input.word()) * 100_000)
        case 8:
            self = .send(channel: UInt16(input.byte() & 0x3F), type: input.word(), size: Int(input.word()) * 4)
        case 9:
            self = .accept(channels: input.take(Int(input.byte() & 7)).map { UInt32($0 & 0x3F) })
        case 10:
            self = .evidence
        default:
            self = input.byte() & 7 == 0 ? .transportEnded : .close
        }
    }
}

/// One machine and what it has said.
private struct Subject {
    var machine: LinkMachine
    var now: UInt64 = 1
    var log: [String] = []
    var sent: [UInt8] = []
    private var checked = 0
    private var parser = FrameParser(maxPayload: FramingLimits.maxMaxPayload)

    init(_ byte: UInt8) {
        let hello = Hello.with { $0.channels = [1, 2, 4, 16, 17] }
        var configuration = LinkConfiguration(role: byte & 1 == 0 ? .headUnit : .phone(hello))
        configuration.mode = byte & 2 == 0 ? .session : .pairing
        configuration.greaseSeed = byte & 4 == 0 ? nil : UInt64(byte)
        configuration.sendQueueLimit = { _ in 300_000 }
        machine = LinkMachine(configuration: configuration, now: now)
        settle()
        // So that the fuzzer need not find a Hello or a Welcome by itself.
        if byte & 8 != 0, configuration.mode == .session { perform(.receive(Self.greeting(to: configuration.end)), single: false) }
    }

    static func greeting(to end: LinkEnd) -> [UInt8] {
        var bytes: [UInt8] = []
        switch end {
        case .headUnit:
            let hello = Hello.with { $0.versionMin = 1; $0.versionMax = 1; $0.channels = [1, 2, 4, 16, 17] }
            FrameWriter.message(channel: 0, type: MessageType.hello, body: (try? hello.serializedBytes()) ?? [], into: &bytes)
        case .phone:
            FrameWriter.message(channel: 0, type: MessageType.welcome, body: (try? Self.welcome.serializedBytes()) ?? [], into: &bytes)
        }
        return bytes
    }

    static let welcome = Welcome.with {
        $0.version = 1
        $0.channels = [1, 2, 4, 16]
        $0.sessionID = .init(repeating: 1, count: 16)
        $0.resumeToken = .init(repeating: 2, count: 32)
        $0.screens = [Screen.with { $0.channel = 16; $0.width = 800; $0.height = 480; $0.scale = 2 }]
    }

    mutating func perform(_ command: Command, single: Bool) {
        switch command {
        case .receive(let bytes):
            if single {
                for byte in bytes { machine.receive([byte], now: now) }
            } else {
                machine.receive(bytes, now: now)
            }
        case .time(let nanoseconds):
            now += nanoseconds
            machine.deadlineReached(now: now)
        case .send(let channel, let type, let size):
            log.append("\(machine.send(channel: ChannelID(channel), type: type, body: [UInt8](repeating: 1, count: size), now: now))")
        case .close: machine.close(.goodbye, detail: "enough", now: now)
        case .accept(let channels):
            var welcome = Self.welcome
            welcome.channels = channels
            machine.accept(welcome, now: now)
        case .transportEnded: machine.transportEnded(.reset, now: now)
        case .evidence: machine.observe(Evidence(.carrierLost, at: now), now: now)
        }
        settle()
    }

    private mutating func settle() {
        while let event = machine.nextEvent() { log.append("\(event)") }
        while machine.transmit(upTo: 5_000, into: &sent, now: now) > 0 {}
    }

    /// Rules that hold whatever came in.
    mutating func problem() -> String? {
        _ = parser.frames(Array(sent[checked...]))
        checked = sent.count
        if let failure = parser.failure { return "sent a bad frame: \(failure)" }
        if let last = log.lastIndex(where: { $0.hasPrefix("closed(") }) {
            if !machine.isClosed { return "closed event of an open machine" }
            if log.firstIndex(where: { $0.hasPrefix("closed(") }) != last { return "closed twice" }
            if log[last...].contains(where: { $0.hasPrefix("message(") }) { return "a message after the end" }
            if machine.nextDeadline != nil { return "a deadline after the end" }
        } else if machine.isClosed {
            return "closed without an event"
        }
        return nil
    }
}

import FasciaFraming
import FasciaLink
import FasciaWire

/// One step of a link under fuzz, read from the input. Most of them get past the first checks, so that the later ones are met too.
enum LinkCommand {
    case receive([UInt8])
    case time(UInt64)
    case send(channel: UInt16, type: UInt16, size: Int)
    case close(CloseCode)
    case accept(channels: [UInt32], resumed: Bool, isPatient: Bool)
    case transportEnded(TransportEnd)
    case evidence

    init(_ input: inout FuzzInput) {
        switch input.byte() % 16 {
        case 0...1:
            // Anything.
            self = .receive(input.take(Int(input.byte())))
        case 2...4:
            // A frame that is well formed as far as its length goes.
            let type = FrameType(rawValue: input.byte())
            let flags = FrameFlags(rawValue: input.byte())
            let channel = UInt16(input.byte() & 0x3F)
            let payload = input.take(Int(input.byte()))
            self = .receive(FrameHeader(length: payload.count, type: type, flags: flags, channel: channel).bytes + payload)
        case 5...6:
            // A fragment that is legal by itself.
            let flags = FrameFlags(rawValue: input.byte() & 3)
            let channel = Self.channel(input.byte())
            var payload = flags.contains(.first) ? Self.type(input.byte()) : []
            payload += input.take(Int(input.byte()))
            if payload.isEmpty { payload = [0] }
            self = .receive(FrameHeader(length: payload.count, type: .message, flags: flags, channel: channel).bytes + payload)
        case 7:
            // A whole message of a known type on a channel, its body made up.
            let type = Self.number(input.byte())
            let channel = Self.channel(input.byte())
            var bytes: [UInt8] = []
            let size = Int(input.byte()) * 8
            FrameWriter.message(channel: channel, type: type, body: input.take(size) + LinkGreetings.body(size < 2_000 ? size / 2 : 4_200), maxPayload: 100, into: &bytes)
            self = .receive(bytes)
        case 8:
            // Frames of their own: credit, probes, an end.
            let number = UInt32(input.byte()) << (8 * UInt32(input.byte() & 3))
            var bytes: [UInt8] = []
            switch input.byte() & 7 {
            case 0...2: FrameWriter.credit(number, channel: Self.channel(input.byte()), into: &bytes)
            case 3...4: FrameWriter.probe(UInt64(number), ack: false, into: &bytes)
            case 5: FrameWriter.probe(UInt64(number & 15), ack: true, into: &bytes)
            case 6: FrameWriter.probeAnswer(UInt64(number & 15), clock: UInt64(number) &* 0x0101_0101_0101, into: &bytes)
            default: FrameWriter.close(code: number, detail: "", into: &bytes)
            }
            self = .receive(bytes)
        case 9...10:
            self = .time(UInt64(input.word()) * 100_000)
        case 11...12:
            let type = input.byte(), channel = input.byte(), size = input.byte()
            self = .send(channel: Self.channel(channel), type: type < 128 ? Self.number(type) : type < 192 ? UInt16(type) : Self.number(type),
                         size: size < 240 ? Int(size) : [1_000, 4_094, 4_095, 16_382, 16_383, 300, 2_000, 70_000][Int(size & 7)])
        case 13:
            let form = input.byte()
            self = .accept(channels: input.take(Int(form & 7)).map { UInt32($0 & 0x3F) }, resumed: form & 8 != 0, isPatient: form & 16 != 0)
        case 14:
            self = .evidence
        default:
            let end = input.byte()
            if end & 7 == 0 {
                self = .transportEnded([.reset, .fin, .timeout, .error("broken")][Int(end >> 3 & 3)])
            } else {
                let close = input.byte()
                self = close & 7 == 0 ? .close(close & 8 == 0 ? .goodbye : .superseded) : .time(1_000_000)
            }
        }
    }

    private static let channels: [UInt16] = [0, 1, 2, 4, 16, 17, 18, 3]
    private static let soundChannels: [UInt16] = [5, 33, 48, 38]
    /// Of the version's first text, so that what a byte means stays as new messages come.
    private static let types = MessageType.all.filter { !soundTypes.contains($0) }
    private static let soundTypes = MessageType.all.filter { $0 >= MessageType.streamStart || $0 >> 8 == 5 }

    private static func channel(_ byte: UInt8) -> UInt16 {
        byte < 224 ? channels[Int(byte) % channels.count] : soundChannels[Int(byte) % soundChannels.count]
    }

    private static func number(_ byte: UInt8) -> UInt16 {
        byte < 192 ? types[Int(byte) % types.count] : soundTypes[Int(byte) % soundTypes.count]
    }

    private static func type(_ byte: UInt8) -> [UInt8] {
        let type = byte < 224 ? number(byte) : 0x0A0A
        return [UInt8(type >> 8), UInt8(type & 255)]
    }
}

/// What peers say first, made once.
enum LinkGreetings {
    static let hello = Hello.with {
        $0.channels = [1, 2, 4, 16, 17, 5, 33, 48]
        $0.capabilities = [1, 2, 4]
        $0.audio = sound
    }

    /// Offers a session to be resumed and speaks before it knows.
    static let speculativeHello = Hello.with {
        $0.channels = hello.channels
        $0.audio = sound
        $0.resume = .with {
            $0.sessionID = .init(repeating: 1, count: 16)
            $0.token = .init(repeating: 2, count: 32)
            $0.speculative = true
        }
    }

    private static let sound = AudioCapabilities.with {
        $0.formats = [.with { $0.codec = .pcm16; $0.sampleRate = 48_000; $0.channels = 2 }]
        $0.microphone = $0.formats
    }

    static let welcome = Welcome.with {
        $0.version = 1
        $0.capabilities = [2, 4, 0x0A0A]
        $0.channels = [1, 2, 4, 16, 5, 33, 48]
        $0.audio = sound
        $0.sessionID = .init(repeating: 1, count: 16)
        $0.resumeToken = .init(repeating: 2, count: 32)
        $0.screens = [Screen.with { $0.channel = 16; $0.width = 800; $0.height = 480; $0.scale = 2 }]
    }

    /// Probes often, waits for long: many probes are open.
    static let patient = Liveness.with { $0.probeIntervalMs = 10; $0.suspectAfterMs = 60_000; $0.deadAfterMs = 120_000 }

    static let toHeadUnit = greeting(hello)
    static let speculativeToHeadUnit = greeting(speculativeHello)

    private static func greeting(_ proposed: Hello) -> [UInt8] {
        var hello = proposed
        hello.versionMin = 1
        hello.versionMax = 1
        var bytes: [UInt8] = []
        FrameWriter.message(channel: 0, type: MessageType.hello, body: (try? hello.serializedBytes()) ?? [], into: &bytes)
        return bytes
    }

    static let toPhone: [UInt8] = {
        var bytes: [UInt8] = []
        FrameWriter.message(channel: 0, type: MessageType.welcome, body: (try? welcome.serializedBytes()) ?? [], into: &bytes)
        return bytes
    }()

    private static let ones = [UInt8](repeating: 1, count: 240)

    static func body(_ size: Int) -> [UInt8] { size <= ones.count ? Array(ones[..<size]) : [UInt8](repeating: 1, count: size) }
}

@testable import FasciaPhone
import FasciaAppSound
import FasciaAudioSession
import FasciaEvents
import FasciaWire

/// Apps and a car around a hub, with a clock driven by hand.
final class SoundStage {
    final class App: AppSoundPort {
        var received: [SoundToApp] = []
        func send(_ datagram: SoundToApp) -> Bool {
            received.append(datagram)
            return true
        }
    }

    final class Car: SoundLink {
        struct Message {
            let channel: ChannelID
            let type: UInt16
            let body: [UInt8]
        }

        var welcome: Welcome
        var messages: [Message] = []
        /// Bytes the network has not taken.
        var queued = 0
        var isStalled = false
        var failure: String?

        init(formats: [AudioFormat] = CarSound.offer.formats) {
            welcome = .with {
                $0.name = "Car"
                $0.channels = CarSound.channels
                $0.audio = .with { $0.formats = formats; $0.microphone = CarSound.offer.microphone }
            }
        }

        func send(_ channel: ChannelID, _ type: UInt16, _ body: [UInt8]) -> Bool {
            messages.append(Message(channel: channel, type: type, body: body))
            if isStalled { queued += body.count }
            return true
        }
        func queuedBytes(_ channel: ChannelID) -> Int { queued }
        func fail(_ detail: String) { failure = detail }

        /// As short words, with packets of a stream in a row counted; and forgets them.
        func take() -> [String] {
            defer { messages = [] }
            var words: [String] = []
            var packets = (key: "", count: 0)
            func flush() {
                if packets.count > 0 { words.append("\(packets.key) x\(packets.count)") }
                packets = ("", 0)
            }
            for message in messages {
                if message.type == MessageType.audioPacket, let header = AudioPacketHeader(decoding: message.body) {
                    let key = "packet \(header.stream)"
                    if packets.key != key { flush() }
                    packets = (key, packets.count + 1)
                } else {
                    flush()
                    words.append(Self.word(message))
                }
            }
            flush()
            return words
        }

        private static func word(_ message: Message) -> String {
            let at = "\(message.channel)"
            switch message.type {
            case MessageType.streamStart:
                guard let start = try? StreamStart(serializedBytes: message.body) else { return "?" }
                return "start \(start.stream) on \(at)" + (start.hasDuck ? " ducking" : "") + (start.format.codec == .opus ? " opus" : "")
            case MessageType.streamStop:
                guard let stop = try? StreamStop(serializedBytes: message.body) else { return "?" }
                return "stop \(stop.stream)" + (stop.drain ? " drain" : "")
            case MessageType.streamUpdate:
                guard let update = try? StreamUpdate(serializedBytes: message.body) else { return "?" }
                return "update \(update.stream)" + (update.hasDuck ? " ducking" : "")
            default: return "\(message.type)"
            }
        }
    }

    static let block: UInt64 = 10_000_000
    var now: UInt64 = 1_000_000_000
    private(set) var events: [(name: String, fields: [String: EventValue])] = []
    private(set) var reports: [SoundReport] = []
    private(set) var hub: SoundHub!
    private var apps: [String: App] = [:]
    private var sequences: [String: UInt32] = [:]
    private var requests: UInt64 = 0

    init(prefersOpus: Bool = false) {
        hub = SoundHub(prefersOpus: prefersOpus, emit: { [weak self] in self?.events.append(($0, $1)) }, report: { [weak self] in self?.reports.append($0) })
    }

    func launch(_ id: String) -> App {
        let app = App()
        apps[id] = app
        hub.appLaunched(id, port: app, now: now)
        return app
    }

    func connect(_ car: Car, resumed: Bool = false, mainAudio: MainAudio = .held) { hub.attach(car, resumed: resumed, mainAudio: mainAudio, now: now) }

    @discardableResult
    func send(_ id: String, _ datagram: SoundFromApp) -> Bool { hub.received(id, .datagram(datagram), now: now) }

    func activate(_ id: String, _ settings: AudioSettings, active: Bool = true) {
        requests += 1
        send(id, .session(.with {
            $0.request = requests
            $0.active = active
            $0.category = settings.category.rawValue
            $0.mode = settings.mode.rawValue
            $0.options = settings.options.rawValue
            $0.notifyOthers = !active
        }))
    }

    func start(_ id: String, _ stream: UInt32, rate: UInt32 = 48_000, role: AppSoundRole = .session) {
        sequences["\(id)/\(stream)"] = 0
        send(id, .start(.with { $0.stream = stream; $0.format = .with { $0.sampleRate = rate; $0.channels = 2 }; $0.role = role }))
    }

    /// So many blocks of 10 ms, each at its time.
    func play(_ id: String, _ stream: UInt32, blocks: Int = 1, rate: Int = 48_000, skipping: UInt32 = 0) {
        for _ in 0..<blocks {
            let sequence = (sequences["\(id)/\(stream)"] ?? 0) + skipping
            sequences["\(id)/\(stream)"] = sequence + 1
            send(id, .packet(SoundPacket(SoundPacketHeader(stream: stream, sequence: sequence, time: now), samples: [UInt8](repeating: 0, count: rate / 100 * 4))))
            pass(Self.block)
        }
    }

    func pass(_ nanoseconds: UInt64) {
        now += nanoseconds
        hub.tick(now: now)
    }

    func answer(_ car: Car, _ channel: ChannelID, _ message: StreamStarted) throws {
        hub.received(channel: channel, type: MessageType.streamStarted, body: try message.serializedBytes(), now: now)
    }
}

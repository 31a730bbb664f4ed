import FasciaSound
import FasciaSoundSimulation
import FasciaWire
import Synchronization
@testable import FasciaHeadUnit

/// A connection that keeps what was sent on it.
final class FakeSoundLink: SoundLink {
    struct Sent: Sendable {
        var channel: ChannelID
        var type: UInt16
        var body: [UInt8]
    }
    private let state = Mutex((sent: [Sent](), closed: CloseCode?.none, needsClock: false))

    func send(channel: ChannelID, type: UInt16, body: [UInt8]) { state.withLock { $0.sent.append(Sent(channel: channel, type: type, body: body)) } }
    func close(_ code: CloseCode, detail: String) { state.withLock { $0.closed = code } }
    func queuedBytes(_ channel: ChannelID) -> Int { 0 }
    let clockOffset: Int64? = 0
    func setNeedsClock(_ needs: Bool) { state.withLock { $0.needsClock = needs } }

    var closed: CloseCode? { state.withLock(\.closed) }
    var needsClock: Bool { state.withLock(\.needsClock) }
    func sent(_ type: UInt16) -> [Sent] { state.withLock { $0.sent.filter { $0.type == type } } }
    var refusals: [StreamRefusal] { sent(MessageType.streamStarted).compactMap { try? StreamStarted(serializedBytes: $0.body).refusal } }
}

/// A car without loudspeakers, and a phone that plays sines to it.
final class SoundBench {
    let sink = ManualSink()
    let car: CarSound
    private(set) var link = FakeSoundLink()
    private(set) var feed: SoundFeed
    private var phones: [StreamKey: (signal: TestSignal, sequence: UInt32)] = [:]

    init(microphone: Microphone = Microphone(.none)) throws {
        car = CarSound(sink: sink, microphone: microphone)
        for route in AudioRoute.allCases { car.setVolume(route, 1) }
        try car.start()
        feed = car.feed()
        feed.connected(link)
    }

    /// Another connection of a phone.
    func connect() {
        link = FakeSoundLink()
        feed = car.feed()
        feed.connected(link)
        phones = [:]
    }

    func say(_ channel: ChannelID, _ type: UInt16, _ body: [UInt8]) { feed.received(channel, type, body, arrival: sink.time) }

    func start(_ key: StreamKey, hertz: Double = 440, duck: Float? = nil) throws {
        say(try channel(key), MessageType.streamStart, try StreamStart.with {
            $0.stream = key.number
            $0.format = SoundFormat(.pcm16, sampleRate: 48_000, channels: 1).wire
            $0.label = "Test"
            if let duck { $0.duck = .with { $0.levelDb = duck; $0.rampMs = 20 } }
        }.serializedBytes())
        phones[key] = (TestSignal(.sine(hertz), amplitude: 0.5), 0)
    }

    func stop(_ key: StreamKey, drain: Bool = false) throws {
        say(try channel(key), MessageType.streamStop, try StreamStop.with { $0.stream = key.number; $0.drain = drain }.serializedBytes())
        phones[key] = nil
    }

    private func channel(_ key: StreamKey) throws -> ChannelID { try key.route.channel ?? { throw SoundError(.format, "no channel") }() }

    /// Plays for so long, the phone keeping up.
    /// - Returns: what was heard, left channel.
    @discardableResult
    func play(milliseconds: Int) -> [Float] {
        var heard: [Float] = []
        for block in 0..<milliseconds / 5 {
            if block % 2 == 0 { sendPackets() }
            let samples = sink.pull()
            heard += stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
        }
        return heard
    }

    /// Amplitude of a frequency in the next 200 ms, once it has settled.
    func level(_ hertz: Double = 440, after milliseconds: Int = 50) -> Float {
        play(milliseconds: milliseconds)
        return Goertzel.amplitude(play(milliseconds: 200), frequency: hertz, sampleRate: Mixer.sampleRate)
    }

    private func sendPackets() {
        for key in Array(phones.keys) {
            guard var phone = phones[key], let channel = key.route.channel else { continue }
            let header = AudioPacketHeader(stream: key.number, sequence: phone.sequence, time: sink.time - 10_000_000)
            say(channel, MessageType.audioPacket, header.encoded + PCM16.bytes(phone.signal.render(frames: 480)))
            phone.sequence += 1
            phones[key] = phone
        }
    }
}

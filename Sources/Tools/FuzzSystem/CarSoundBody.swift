import FasciaHeadUnit
import FasciaSound
import FasciaSoundIO
import FasciaSoundSimulation
import FasciaWire
import FuzzCore

/// Input: what phones say to a car's sound on one connection after the other, what the driver does meanwhile, and time: from messages
/// through the desk, the inbox and the jitter buffers to the mix.
@Sendable func checkCarSound(_ input: [UInt8]) -> String? {
    var input = FuzzInput(input)
    guard let subject = CarSoundSubject() else { return "the car's sound does not start" }
    while !input.isEmpty {
        subject.perform(&input)
        if let problem = subject.problem() { return problem }
    }
    return subject.end()
}

private final class CarSoundSubject {
    private let sink = ManualSink()
    private let car: CarSound
    private let microphone: Microphone
    private var link = AnswerLink()
    private var feed: SoundFeed
    /// Last number of a stream on each channel; packets of a stream made so far.
    private var numbers: [ChannelID: UInt32] = [:]
    private var sequences: [StreamKey: UInt32] = [:]
    private var bad: String?

    private static let channels: [ChannelID] = (32...37).map { ChannelID($0) } + [.audioIn, .audioIn]
    private static let formats: [SoundFormat] = SoundFormat.all + [SoundFormat(.pcm16, sampleRate: 8_000, channels: 1), SoundFormat(.opus, sampleRate: 44_100, channels: 3)]

    init?() {
        microphone = Microphone(name: "fake") { format throws(SoundError) in
            if format.sampleRate == 24_000 { throw SoundError(.device, "it is broken") }
            return ManualSource(sampleRate: format.sampleRate, channels: format.channels, failure: format.sampleRate == 48_000 ? "it gives nothing" : nil)
        }
        car = CarSound(sink: sink, microphone: microphone)
        guard (try? car.start()) != nil else { return nil }
        feed = car.feed()
        feed.connected(link)
    }

    func perform(_ input: inout FuzzInput) {
        let command = input.byte()
        let channel = Self.channels[Int(command >> 3 & 7)]
        switch command & 7 {
        case 0: say(channel, 0x2000 | UInt16(input.byte() & 7), input.take(Int(input.byte())))
        case 1: start(channel, &input)
        case 2, 3: packet(channel, last: command & 64 == 0, &input)
        case 4: change(channel, stops: command & 64 == 0, &input)
        case 5: drive(&input)
        case 6:
            if command & 64 == 0 { disconnect() } else { connect() }
        default: mix(milliseconds: 5 * (1 + Int(command >> 3)))
        }
        microphone.queue.sync {} // what it was asked for is done
    }

    private func start(_ channel: ChannelID, _ input: inout FuzzInput) {
        let form = input.byte(), how = input.byte()
        let format = Self.formats[Int(form & 31) % Self.formats.count]
        let number = how & 15 == 15 ? UInt32(how >> 4) : numbers[channel, default: 0] &+ 1 &+ UInt32(how & 3)
        numbers[channel] = max(number, numbers[channel, default: 0])
        let message = StreamStart.with {
            $0.stream = number
            $0.format = .with {
                $0.codec = format.codec == .opus ? .opus : .pcm16
                ($0.sampleRate, $0.channels) = (UInt32(format.sampleRate), UInt32(format.channels))
            }
            $0.gainDb = -Float(how >> 4)
            if form & 32 != 0 { $0.duck = .with { $0.levelDb = -Float(how); $0.rampMs = UInt32(how) << UInt32(form >> 6) } }
            $0.label = String(repeating: "x", count: Int(form >> 6) * 20)
        }
        say(channel, MessageType.streamStart, (try? message.serializedBytes()) ?? [])
    }

    private func packet(_ channel: ChannelID, last: Bool, _ input: inout FuzzInput) {
        let form = input.byte()
        let number = last ? numbers[channel, default: 0] : UInt32(form >> 4)
        let key = StreamKey(AudioRoute(rawValue: UInt8(truncatingIfNeeded: channel.rawValue &- 32)) ?? .media, number)
        let jump = form & 3 == 0 ? UInt32(input.byte()) << UInt32(input.byte() & 31) : 1
        let sequence = sequences[key].map { $0 &+ jump } ?? 0
        sequences[key] = sequence
        let time = form & 4 == 0 ? sink.time : UInt64(input.byte()) << UInt64(input.byte() & 63)
        // Sound of 2.5 to 60 ms, or anything.
        let data = form & 8 == 0 ? [UInt8](repeating: input.byte(), count: 240 * Int(1 + input.byte() % 48)) : input.take(Int(input.byte()))
        say(channel, MessageType.audioPacket, AudioPacketHeader(stream: number, sequence: sequence, time: time).encoded + data)
    }

    private func change(_ channel: ChannelID, stops: Bool, _ input: inout FuzzInput) {
        let how = input.byte()
        let number = how & 1 == 0 ? numbers[channel, default: 0] : UInt32(how >> 2)
        if stops {
            say(channel, MessageType.streamStop, (try? StreamStop.with { $0.stream = number; $0.drain = how & 2 != 0 }.serializedBytes()) ?? [])
        } else {
            let update = StreamUpdate.with {
                $0.stream = number
                $0.gainDb = -Float(how)
                if how & 2 != 0 { $0.duck = .with { $0.levelDb = -Float(how >> 2); $0.rampMs = UInt32(how) } }
            }
            say(channel, MessageType.streamUpdate, (try? update.serializedBytes()) ?? [])
        }
    }

    private func drive(_ input: inout FuzzInput) {
        let what = input.byte()
        let route = AudioRoute(rawValue: what >> 4) ?? .media, on = what & 8 != 0
        switch what & 7 {
        case 0: car.setMute(route, on)
        case 1: car.setVolume(route, Double(input.byte()) / 255)
        case 2: car.radio(on: on)
        case 3: car.phoneMayPlayMain = on
        case 4: car.carCallRings(on)
        case 5: car.carCall(on: on)
        case 6: car.apply(CarSoundState(phoneMayPlayMain: on, radio: !on, call: what & 16 == 0 ? nil : .talking))
        default: link.offset = Int64(bitPattern: UInt64(input.byte()) << UInt64(input.byte() & 63))
        }
    }

    private func disconnect() {
        feed.disconnected()
        link.isGone()
    }

    private func connect() {
        disconnect()
        feed = car.feed()
        link = AnswerLink()
        feed.connected(link)
        (numbers, sequences) = ([:], [:])
    }

    private func say(_ channel: ChannelID, _ type: UInt16, _ body: [UInt8]) {
        link.isAsked(type, at: sink.time)
        feed.received(channel, type, body, arrival: sink.time)
    }

    private func mix(milliseconds: Int) {
        for _ in 0..<milliseconds / 5 { if let sample = sink.pull().first(where: { !($0.magnitude <= 1) }) { bad = "a sample of \(sample)" } }
    }

    func problem() -> String? {
        if let problem = bad ?? link.problem { return problem }
        let streams = car.streams
        if streams.count > Mixer.maxStreams { return "\(streams.count) streams" }
        // A packet may go in while the bound is reached; what is more is left out by the time the next one has.
        if let long = streams.first(where: { $0.buffer.buffered > JitterBuffer.bound + 60_000_000 }) { return "\(long.buffer.buffered) ns are held" }
        return nil
    }

    /// When the connection is over nothing of it sounds, ducks or listens.
    func end() -> String? {
        disconnect()
        car.apply(CarSoundState(phoneMayPlayMain: true, radio: false, call: nil))
        microphone.queue.sync {}
        mix(milliseconds: 500)
        if let problem = problem() { return problem }
        if !car.streams.isEmpty { return "streams outlive their connection" }
        if car.listener != nil { return "the microphone is open for nobody" }
        return sink.pull().contains { $0.magnitude > 1e-4 } ? "something sounds after the link's end" : nil
    }
}

import FasciaSound
import FasciaWire
import SwiftProtobuf

package typealias SoundFormat = FasciaSound.AudioFormat

/// What a phone's sound messages mean, on one connection (spec/sound.md): which streams there are, what is answered, what is handed to the
/// mixer. No thread, no clock and no device of its own; bounded whatever a phone sends.
struct SoundDesk {
    /// A message that ends the connection.
    struct Violation: Error, Equatable {
        var code: CloseCode
        var detail: String
    }

    /// What is to be done, in order.
    enum Effect: Equatable {
        case send(ChannelID, type: UInt16, body: [UInt8])
        case order(SoundOrder)
        /// The microphone is wanted; answered with ``microphoneOpened(_:)`` or ``microphoneFailed(_:_:)``.
        case openMicrophone(Recording)
        case closeMicrophone(UInt32)
        case refused(AudioRoute?, label: String, reason: String)
    }

    /// A stream of the microphone to the phone.
    struct Recording: Equatable {
        var stream: UInt32
        var format: SoundFormat
        var label: String
    }

    struct Stream: Equatable {
        var format: SoundFormat
        var label: String
        /// When its last StreamStatus went out, nanoseconds.
        var told: UInt64 = 0
    }

    /// Streams begun in a second: more are nobody's music, and each costs the mixer time.
    static let maximumStartsASecond = 32

    /// Media, telephony and assistant sound only while it is so.
    var mayPlayMain: Bool
    /// The car speaks on its own telephone.
    var isInCall = false
    let hasMicrophone: Bool
    private(set) var streams: [StreamKey: Stream] = [:]
    /// Ended by the phone and not yet played out; they count as streams.
    private(set) var draining: Set<StreamKey> = []
    private(set) var recording: Recording?
    /// Its StreamStarted has not gone out yet.
    private var isOpening = false
    /// Answers to later StreamStarts for the microphone: they go out after its own.
    private var held: [Effect] = []
    private var numbers = StreamNumbers()
    private var startWindow: (since: UInt64, count: Int) = (0, 0)

    init(mayPlayMain: Bool, hasMicrophone: Bool) {
        self.mayPlayMain = mayPlayMain
        self.hasMicrophone = hasMicrophone
    }

    /// Any stream of the phone or to it.
    var isIdle: Bool { streams.isEmpty && draining.isEmpty && recording == nil }

    // MARK: From the phone

    /// - Parameter now: when it arrived, nanoseconds of the monotonic clock.
    mutating func received(_ channel: ChannelID, _ type: UInt16, _ body: [UInt8], now: UInt64) throws(Violation) -> [Effect] {
        do throws(SoundViolation) {
            switch try SoundMessage(type, body) {
            case .packet(let header, _): return packet(channel, header, body, now: now)
            case .start(let message): return try start(channel, message, now: now)
            case .stop(let message): return stop(channel, message)
            case .update(let message): return update(channel, message)
            case .started, .status, nil: return []
            }
        } catch {
            throw Violation(code: .badMessage, detail: error.description)
        }
    }

    private func packet(_ channel: ChannelID, _ header: AudioPacketHeader, _ body: [UInt8], now: UInt64) -> [Effect] {
        guard let route = channel.route else { return [] }
        let key = StreamKey(route, header.stream)
        guard streams[key] != nil else { return [] }
        return [.order(.packet(key, header, body, arrival: now))]
    }

    private mutating func start(_ channel: ChannelID, _ message: StreamStart, now: UInt64) throws(SoundViolation) -> [Effect] {
        try numbers.started(message.stream, on: channel)
        let duck = message.hasDuck ? message.duck : nil
        let route = channel.route, format = SoundFormat(message.format)
        if let (refusal, reason) = refusal(route, format, message, now: now) {
            let answer = answer(channel, message.stream, refusal, reason)
            return (route == nil ? inOrder(answer) : [answer]) + [.refused(route, label: message.label, reason: reason)]
        }
        guard let format else { return [] } // was refused
        guard let route else {
            let wanted = Recording(stream: message.stream, format: format, label: message.label)
            (recording, isOpening) = (wanted, true)
            return [.openMicrophone(wanted)]
        }
        let key = StreamKey(route, message.stream)
        streams[key] = Stream(format: format, label: message.label)
        return [answer(channel, message.stream, .none, ""),
                .order(.start(key, format, gain: message.gainDb, duck: duck.map { FasciaSound.Duck($0) }, label: message.label))]
    }

    private mutating func refusal(_ route: AudioRoute?, _ format: SoundFormat?, _ message: StreamStart, now: UInt64) -> (StreamRefusal, String)? {
        guard let format else { return (.format, "codec \(message.format.codec.rawValue) is not known here") }
        if let reason = format.refusal { return (.format, reason) }
        if now &- startWindow.since > 1_000_000_000 { startWindow = (now, 0) }
        startWindow.count += 1
        guard startWindow.count <= Self.maximumStartsASecond else { return (.tooMany, "more than \(Self.maximumStartsASecond) streams begun in a second") }
        guard let route else {
            guard hasMicrophone else { return (.noDevice, "this car has no microphone") }
            guard !isInCall else { return (.noDevice, "the car is in a call of its own") }
            guard SoundFormats.microphone.contains(format) else { return (.format, "\(format.text): the microphone is one channel") }
            return recording == nil ? nil : (.tooMany, "the microphone is open already")
        }
        guard streams.count + draining.count < Mixer.maxStreams else { return (.tooMany, "\(Mixer.maxStreams) streams play already") }
        return route.needsMainAudio && !mayPlayMain ? (.notOwned, "the car has the main audio") : nil
    }

    private mutating func stop(_ channel: ChannelID, _ message: StreamStop) -> [Effect] {
        guard let route = channel.route else {
            guard recording?.stream == message.stream else { return [] }
            return closeMicrophone("it was stopped before it was open")
        }
        let key = StreamKey(route, message.stream)
        guard streams.removeValue(forKey: key) != nil else { return [] }
        if message.drain { draining.insert(key) }
        return [.order(.stop(key, drain: message.drain))]
    }

    private func update(_ channel: ChannelID, _ message: StreamUpdate) -> [Effect] {
        guard let route = channel.route, streams[StreamKey(route, message.stream)] != nil else { return [] }
        let duck = message.hasDuck ? FasciaSound.Duck(message.duck) : nil
        return [.order(.update(StreamKey(route, message.stream), gain: message.gainDb, duck: duck))]
    }

    // MARK: From the car

    /// The mixer has played these to their end.
    mutating func ended(_ keys: [StreamKey]) { draining.subtract(keys) }

    /// The device is there. Of a stream that was stopped while it was being opened nobody wants to hear.
    mutating func microphoneOpened(_ stream: UInt32) -> [Effect] { recording?.stream == stream ? answered(.none, "") : [] }

    /// It cannot be opened, or gives no sound any more.
    mutating func microphoneFailed(_ stream: UInt32, _ reason: String) -> [Effect] {
        guard let recording, recording.stream == stream else { return [] }
        let refusal: [Effect] = isOpening ? [.refused(nil, label: recording.label, reason: reason)] : []
        return stopMicrophone(reason) + refusal
    }

    /// The car ends the microphone's stream.
    /// - Parameter reason: for people.
    mutating func stopMicrophone(_ reason: String) -> [Effect] {
        guard let recording else { return [] }
        let stop = isOpening ? nil : message(.audioIn, MessageType.streamStop, StreamStop.with {
            $0.stream = recording.stream
            $0.detail = String(reason.prefix(200))
        })
        return closeMicrophone(reason) + [stop].compactMap(\.self)
    }

    // MARK: Answers for the microphone, which take their time

    /// - Parameter reason: for the phone if it was not answered yet.
    private mutating func closeMicrophone(_ reason: String) -> [Effect] {
        guard let recording else { return [] }
        let answers = answered(.noDevice, reason)
        self.recording = nil
        return [.closeMicrophone(recording.stream)] + answers
    }

    /// The answer that is owed, if there is one, and what waited for it.
    private mutating func answered(_ refusal: StreamRefusal, _ reason: String) -> [Effect] {
        guard isOpening, let recording else { return [] }
        let waited = held
        (isOpening, held) = (false, [])
        return [answer(.audioIn, recording.stream, refusal, String(reason.prefix(200)))] + waited
    }

    /// Not before the one that is owed. A device that cannot make up its mind is given up, so that no more and more wait for it.
    private mutating func inOrder(_ answer: Effect) -> [Effect] {
        guard isOpening else { return [answer] }
        held.append(answer)
        return held.count < AudioLimits.maxStreams ? [] : closeMicrophone("it took too long to open")
    }

    /// Whether the stream's last StreamStatus is as old as `interval`, nanoseconds.
    func isStatusDue(_ key: StreamKey, now: UInt64, interval: UInt64) -> Bool {
        guard let stream = streams[key] else { return false }
        return stream.told == 0 || now &- stream.told >= interval
    }

    /// A StreamStatus.
    mutating func status(_ status: FasciaSound.StreamStatus, now: UInt64) -> Effect? {
        guard let channel = status.key.route.channel else { return nil }
        streams[status.key]?.told = max(now, 1)
        let wire = FasciaWire.StreamStatus.with {
            $0.stream = status.key.number
            $0.targetUs = UInt32(clamping: status.buffer.target / 1_000)
            $0.bufferedUs = UInt32(clamping: status.buffer.buffered / 1_000)
            $0.latencyUs = UInt32(clamping: (status.latency ?? 0) / 1_000)
            $0.concealed = UInt32(clamping: status.buffer.concealed)
            $0.late = UInt32(clamping: status.buffer.late)
            $0.muted = status.muted
            $0.volume = status.volume
        }
        return message(channel, MessageType.streamStatus, wire)
    }

    // MARK: Parts

    private func answer(_ channel: ChannelID, _ stream: UInt32, _ refusal: StreamRefusal, _ detail: String) -> Effect {
        let started = StreamStarted.with {
            $0.stream = stream
            $0.refusal = refusal
            $0.detail = detail
        }
        return .send(channel, type: MessageType.streamStarted, body: (try? started.serializedBytes()) ?? [])
    }

    private func message(_ channel: ChannelID, _ type: UInt16, _ message: some SwiftProtobuf.Message) -> Effect? {
        guard let body: [UInt8] = try? message.serializedBytes() else { return nil }
        return .send(channel, type: type, body: body)
    }
}

extension ChannelID {
    /// Nil: the microphone's, or none of sound.
    var route: AudioRoute? { audioRoute.flatMap { AudioRoute(rawValue: UInt8($0)) } }
}

extension AudioRoute {
    var channel: ChannelID? { .audioOut(Int(rawValue)) }
    /// Prompts, alerts and clicks are heard whoever has the main audio.
    var needsMainAudio: Bool { self == .media || self == .telephony || self == .assistant }
}

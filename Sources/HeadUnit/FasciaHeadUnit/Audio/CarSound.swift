import FasciaEvents
import FasciaSound
import FasciaSoundIO
import FasciaWire
import Foundation
import Synchronization

/// The car's sound: mixes phones' streams with its own, keeps volumes, opens the microphone. May be used from any thread; a phone's messages
/// come on the event loop of its connection, what the driver does on the main actor, and the mixer runs on the sink's thread.
///
///     event loop ── SoundFeed ──▶ SoundDesk ── orders ──▶ SoundInbox ──▶ SoundEngine (sink's thread) ──▶ sink
///     main actor ── volume, radio … ─────────────▲              figures, streams that ended ◀──┘
public final class CarSound: Sendable {
    /// Least time between two StreamStatus of a stream, nanoseconds.
    static let statusInterval: UInt64 = 100_000_000
    /// Things that happened which wait for the main actor; more are nobody's to read.
    private static let maximumNews = 64

    /// What happened, for the event file.
    struct News: Sendable {
        var event: String
        var fields: [String: EventValue]
    }

    struct State {
        var desk: SoundDesk?
        /// Whose connection the desk is of.
        var feed: UInt64 = 0
        var link: (any SoundLink)?
        var nextFeed: UInt64 = 0
        var clockAsked: UInt64 = 0
        var mayPlayMain = true
        var volumes: [AudioRoute: Double] = [:]
        var muted: Set<AudioRoute> = []
        var sources: Set<CarSource> = []
        var isInCall = false
        /// The microphone is being opened or open, and for whom.
        var listener: String?
        /// It was said to be open, and not yet that it is no more.
        var isMicrophoneOpen = false
        var news: [News] = []
        var onChange: (@Sendable () -> Void)?
    }

    let state = Mutex(State())
    let engine: SoundEngine
    let microphone: Microphone

    package init(sink: any SoundSink, microphone: Microphone, volumes: [AudioRoute: Double] = [:]) {
        engine = SoundEngine(sink: sink)
        self.microphone = microphone
        for route in AudioRoute.allCases { setVolume(route, volumes[route] ?? SoundOptions.defaultVolume) }
    }

    /// Begins to ask for sound.
    package func start() throws(SoundError) { try engine.start() }

    /// Nothing sounds and nothing is heard any more; files are whole.
    func stop() {
        microphone.close {}
        engine.stop()
    }

    // MARK: Driver

    /// Whether media, telephony and assistant of the phone are heard (spec/ownership.md). What plays there now falls silent or comes back.
    public var phoneMayPlayMain: Bool {
        get { state.withLock(\.mayPlayMain) }
        set {
            state.withLock { state in
                guard state.mayPlayMain != newValue else { return }
                state.mayPlayMain = newValue
                state.desk?.mayPlayMain = newValue
                engine.post(.mainAudio(newValue))
            }
        }
    }

    /// The car's own radio sounds, and is ducked by prompts as music is.
    public func radio(on: Bool) { set(.radio, on) }

    /// A call of the car's own telephone rings.
    public func carCallRings(_ on: Bool) { set(.ring, on) }

    /// Somebody speaks in a call of the car's own telephone.
    public func carCall(on: Bool) { set(.call, on) }

    /// What follows from who has the main audio.
    package func apply(_ ownership: CarSoundState) {
        phoneMayPlayMain = ownership.phoneMayPlayMain
        radio(on: ownership.radio)
        carCallRings(ownership.call == .ringing)
        carCall(on: ownership.call == .talking)
        takeMicrophone(ownership.call != nil)
    }

    private func set(_ source: CarSource, _ on: Bool) {
        state.withLock { state in
            let changed = on ? state.sources.insert(source).inserted : state.sources.remove(source) != nil
            if changed { engine.post(on ? .begin(source) : .end(source)) }
        }
    }

    /// - Parameter volume: 0 to 1.
    package func setVolume(_ route: AudioRoute, _ volume: Double) {
        state.withLock { state in
            state.volumes[route] = volume
            engine.post(.volume(route, Float(volume)))
        }
    }

    package func setMute(_ route: AudioRoute, _ muted: Bool) {
        state.withLock { state in
            if muted { state.muted.insert(route) } else { state.muted.remove(route) }
            engine.post(.mute(route, muted))
        }
    }

    func volume(_ route: AudioRoute) -> Double { state.withLock { $0.volumes[route] ?? 0 } }
    func isMuted(_ route: AudioRoute) -> Bool { state.withLock { $0.muted.contains(route) } }
    func isOn(_ source: CarSource) -> Bool { state.withLock { $0.sources.contains(source) } }
    /// For whom the microphone is open; nil while it is closed.
    package var listener: String? { state.withLock(\.listener) }

    /// What plays, and how much of each is buffered; some milliseconds old.
    package var streams: [FasciaSound.StreamStatus] { engine.now.streams }

    // MARK: Phone

    /// What Welcome says of this car's sound.
    var capabilities: AudioCapabilities { SoundFormats.capabilities(sink: engine.sinkName, hasMicrophone: microphone.name != nil) }

    /// The channels that go with it.
    var channels: [ChannelID] {
        AudioRoute.allCases.compactMap(\.channel) + (microphone.name == nil ? [] : [.audioIn])
    }

    /// For a new connection, before it is answered.
    package func feed() -> SoundFeed {
        SoundFeed(self, id: state.withLock { state in
            state.nextFeed += 1
            return state.nextFeed
        })
    }

    /// A connection is up: it has the sound from now on, and what was before it is over.
    func connected(_ id: UInt64, _ link: any SoundLink) {
        state.withLock { state in
            disconnect(&state)
            state.desk = SoundDesk(mayPlayMain: state.mayPlayMain, hasMicrophone: microphone.name != nil)
            state.desk?.isInCall = state.isInCall
            (state.feed, state.link, state.clockAsked) = (id, link, 0)
        }
        tell()
    }

    /// It is over. Fades out, and brings back what was ducked.
    func disconnected(_ id: UInt64) {
        state.withLock { if $0.feed == id { disconnect(&$0) } }
        tell()
    }

    private func disconnect(_ state: inout State) {
        guard let desk = state.desk else { return }
        if desk.recording != nil { closeMicrophone() }
        engine.post(.linkLost)
        engine.post(.clock(nil))
        (state.desk, state.link, state.feed) = (nil, nil, 0)
    }

    /// A message of the phone, on its connection's event loop.
    func received(_ id: UInt64, _ channel: ChannelID, _ type: UInt16, _ body: [UInt8], arrival: UInt64) {
        let hasNews = state.withLock { state in
            guard state.feed == id, var desk = state.desk else { return false }
            let waits = !state.news.isEmpty // then somebody was told already
            state.desk = nil // so that it is changed in place
            let wasIdle = desk.isIdle
            desk.ended(takeEnded())
            do throws(SoundDesk.Violation) {
                let effects = try desk.received(channel, type, body, now: arrival)
                if type == MessageType.audioPacket { report(&desk, channel, body, &state, now: arrival) }
                if desk.isIdle != wasIdle { state.link?.setNeedsClock(wasIdle) }
                state.desk = desk
                perform(effects, &state)
            } catch {
                state.desk = desk
                let link = state.link
                disconnect(&state)
                link?.close(error.code, detail: error.detail)
                note(&state, "sound-violation", ["detail": .string(error.detail)])
            }
            return !waits && !state.news.isEmpty
        }
        if hasNews { tell() }
    }

    /// At the pace of the packets: how the stream is doing, and what the phone's clock is.
    private func report(_ desk: inout SoundDesk, _ channel: ChannelID, _ body: [UInt8], _ state: inout State, now: UInt64) {
        if now &- state.clockAsked >= Self.statusInterval {
            state.clockAsked = now
            engine.post(.clock(state.link?.clockOffset))
        }
        guard let route = channel.route, let header = AudioPacketHeader(decoding: body) else { return }
        let key = StreamKey(route, header.stream)
        guard desk.isStatusDue(key, now: now, interval: Self.statusInterval), var status = engine.status(key) else { return }
        (status.volume, status.muted) = (Float(state.volumes[route] ?? 0), state.muted.contains(route))
        if let effect = desk.status(status, now: now), case .send(let channel, let type, let body) = effect {
            state.link?.send(channel: channel, type: type, body: body)
        }
    }

    private func takeEnded() -> [StreamKey] {
        let ended = engine.takeEnded()
        if !ended.isEmpty { engine.withLatencies { $0.ended(ended) } }
        return ended
    }

    func perform(_ effects: [SoundDesk.Effect], _ state: inout State) {
        for effect in effects {
            switch effect {
            case .send(let channel, let type, let body): state.link?.send(channel: channel, type: type, body: body)
            case .order(let order):
                engine.post(order)
                note(order, &state)
            case .openMicrophone(let recording): openMicrophone(recording, &state)
            case .closeMicrophone: closeMicrophone()
            case .refused(let route, let label, let reason):
                note(&state, "stream-refused", ["route": .string(route?.name ?? "microphone"), "label": .string(label), "reason": .string(reason)])
            }
        }
    }

    // MARK: News

    /// Called on any thread when the screen or the event file may have to say something.
    func onChange(_ call: @escaping @Sendable () -> Void) { state.withLock { $0.onChange = call } }

    func takeNews() -> [News] {
        state.withLock { state in
            defer { state.news.removeAll() }
            return state.news
        }
    }

    func tell() { state.withLock(\.onChange)?() }

    func note(_ state: inout State, _ event: String, _ fields: [String: EventValue]) {
        if state.news.count < Self.maximumNews { state.news.append(News(event: event, fields: fields)) }
    }

    private func note(_ order: SoundOrder, _ state: inout State) {
        switch order {
        case .start(let key, let format, _, let duck, let label):
            var fields: [String: EventValue] = ["route": .string(key.route.name), "stream": .unsigned(UInt64(key.number)), "format": .string(format.text), "label": .string(label)]
            if let duck { fields["duck_db"] = .number(Double(duck.level)) }
            note(&state, "stream-started", fields)
        case .stop(let key, _): note(&state, "stream-stopped", ["route": .string(key.route.name), "stream": .unsigned(UInt64(key.number))])
        default: break
        }
    }
}

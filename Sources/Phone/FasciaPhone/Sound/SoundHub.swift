import FasciaAppSound
import FasciaAudioSession
import FasciaEvents
import FasciaSound
import FasciaWire

/// Between apps and the car: which streams go over the link, as which, and what apps hear of it. Knows neither sockets nor clock, never
/// waits, and keeps nothing that is not bounded. For one thread.
///
/// ```
///  app --SoundFromApp--> SoundHub --StreamStart, AudioPacket--> SoundLink
///      <---SoundToApp---    |     <--StreamStarted, Status, microphone--
///                           +-- AudioSessionPolicy: who may sound
/// ```
/// Without a car, or while main audio is somebody else's, sound is taken and thrown away as it comes: an app's time goes on.
package final class SoundHub {
    /// Nanoseconds an app's activation waits for the car.
    static let patience: UInt64 = 500_000_000
    /// Nanoseconds between two looks at a link that has no room.
    static let retry: UInt64 = 5_000_000

    var policy = AudioSessionPolicy()
    var apps: [AudioApp: SoundApp] = [:]
    var link: (any SoundLink)?
    /// What is in front of the phone while there is a session, also while its connection is lost.
    var car: CarSound?
    var carName = ""
    /// Stopped streams with sound that has not left.
    var draining: [LinkStream] = []
    let prefersOpus: Bool
    var lastID: UInt32 = 0
    private var waitingSince: UInt64?
    private var dropped: [AudioApp: UInt64] = [:]
    private var droppedTold: UInt64 = 0
    private let emit: (String, [String: EventValue]) -> Void
    private let report: (SoundReport) -> Void

    package init(prefersOpus: Bool, emit: @escaping (String, [String: EventValue]) -> Void, report: @escaping (SoundReport) -> Void) {
        self.prefersOpus = prefersOpus
        self.emit = emit
        self.report = report
    }

    /// Of all apps.
    package var openStreams: Int { apps.values.reduce(0) { $0 + $1.streams.count } }

    // MARK: Apps come and go

    package func appLaunched(_ id: AudioApp, port: any AppSoundPort, now: UInt64) {
        appGone(id, now: now)
        apps[id] = SoundApp(id: id, port: port)
        policy.appeared(id)
        _ = port.send(.routeChange(route(reason: 0)))
    }

    package func appGone(_ id: AudioApp, now: UInt64) {
        guard let app = apps[id] else { return }
        for stream in app.streams.values { stopLink(of: stream, in: app, drain: false, reason: "gone") }
        closeMicrophone(app, tells: nil)
        apps[id] = nil
        dropped[id] = nil
        perform(policy.gone(id), now: now)
    }

    /// The app broke a rule: its sound is over, it lives on.
    func cutOff(_ app: SoundApp, _ reason: String, now: UInt64) {
        emit("app-fault", ["app": .string(app.id), "name": "FasciaSoundFault", "reason": .string(reason), "fatal": false])
        appGone(app.id, now: now)
        report(.cutOff(app.id, reason))
    }

    // MARK: Policy

    func perform(_ outputs: [PolicyOutput], now: UInt64) {
        for output in outputs { perform(output) }
        if policy.isWaiting { waitingSince = waitingSince ?? now } else { waitingSince = nil }
        reconcile()
    }

    private func perform(_ output: PolicyOutput) {
        switch output {
        case .reply(let id, let request, let error): reply(id, request, error)
        case .endStreams(let id, let reason): endStreams(id, reason)
        case .interruptionBegan(let id, let by):
            send(id, .interruption(.with { $0.began = true }))
            emit("audio-interruption", ["app": .string(id), "state": "began", "by": .string(by ?? "car")])
        case .interruptionEnded(let id, let resume):
            send(id, .interruption(.with { $0.shouldResume = resume }))
            emit("audio-interruption", ["app": .string(id), "state": "ended", "should_resume": .bool(resume)])
        case .hint(let id, let begin): send(id, .hint(.with { $0.begin = begin }))
        case .routeChange(let id, let reason): send(id, .routeChange(route(reason: reason.rawValue)))
        case .ownership(let wish, let app): report(.ownership(wish, for: app))
        case .states(let states): report(.states(states))
        }
    }

    private func send(_ id: AudioApp, _ datagram: SoundToApp) { _ = apps[id]?.port.send(datagram) }

    private func reply(_ id: AudioApp, _ request: UInt64, _ error: AudioSessionError?) {
        guard let app = apps[id] else { return }
        _ = app.port.send(.sessionReply(.with {
            $0.request = request
            $0.success = error == nil
            $0.error = error?.rawValue ?? 0
            $0.detail = error.map { "\($0)" } ?? ""
        }))
        guard let asked = app.asked.removeValue(forKey: request) else { return }
        emit("audio-session", [
            "app": .string(id), "active": .bool(asked.active), "category": .string(asked.category), "mode": .string(asked.mode), "options": .unsigned(asked.options),
            "route": .string(policy.route(id).name), "error": error.map { .string("\($0)") } ?? .null,
        ])
    }

    private func endStreams(_ id: AudioApp, _ reason: PolicyOutput.EndReason) {
        guard let app = apps[id] else { return }
        for stream in app.streams.values.filter(\.role.isSession) {
            stopLink(of: stream, in: app, drain: reason == .inactive, reason: reason.rawValue)
            app.streams[stream.number] = nil
            _ = app.port.send(.state(.with { $0.stream = stream.number; $0.refusal = reason.rawValue }))
        }
        closeMicrophone(app, tells: reason.rawValue)
    }

    /// Where sound goes.
    /// - Parameter reason: `AVAudioSession.RouteChangeReason`; 0 is not a change.
    func route(reason: UInt32) -> AppSoundRouteChange {
        .with {
            $0.reason = reason
            $0.outputPort = car == nil ? "Speaker" : "CarAudio"
            $0.outputName = car == nil ? "Speaker" : carName
            $0.inputPort = car?.hasMicrophone == true ? "CarAudio" : ""
            $0.sampleRate = 48_000
        }
    }

    // MARK: Time

    /// When `tick` wants to be called; nil: not by time.
    package func nextDeadline(now: UInt64) -> UInt64? {
        var deadlines: [UInt64] = waitingSince.map { [$0 + Self.patience] } ?? []
        for app in apps.values {
            for stream in app.streams.values {
                if let last = stream.lastPacket { deadlines.append(last + OutgoingStream.idleAfter) }
                if stream.link?.ring.isEmpty == false { deadlines.append(now + Self.retry) }
            }
        }
        if !draining.isEmpty { deadlines.append(now + Self.retry) }
        if !dropped.isEmpty { deadlines.append(droppedTold + 1_000_000_000) }
        return deadlines.min()
    }

    package func tick(now: UInt64) {
        if let waitingSince, now >= waitingSince + Self.patience { perform(policy.mainAudioUnanswered(), now: now) }
        for app in apps.values {
            for stream in app.streams.values {
                if let last = stream.lastPacket, now >= last + OutgoingStream.idleAfter { idle(stream, of: app, now: now) }
                if let link = stream.link { flush(link) }
            }
        }
        for stream in draining { flush(stream) }
        draining.removeAll { stream in
            guard stream.ring.isEmpty else { return false }
            sendStop(stream, drain: true)
            return true
        }
        tellDropped(now: now)
    }

    private func idle(_ stream: OutgoingStream, of app: SoundApp, now: UInt64) {
        stream.lastPacket = nil
        stream.link?.opus?.skip() // too late to be heard
        stopLink(of: stream, in: app, drain: true, reason: "idle")
        perform(policy.sounding(app.id, app.isSounding), now: now)
    }

    func countDropped(_ app: SoundApp, _ count: Int) { dropped[app.id, default: 0] += UInt64(count) }

    private func tellDropped(now: UInt64) {
        guard !dropped.isEmpty, now >= droppedTold + 1_000_000_000 else { return }
        droppedTold = now
        for (app, count) in dropped { emit("audio-dropped", ["app": .string(app), "packets": .unsigned(count), "reason": "queue"]) }
        dropped = [:]
    }

    func tellStream(_ app: SoundApp, _ stream: OutgoingStream, _ state: String, _ more: [String: EventValue] = [:]) {
        var fields: [String: EventValue] = ["app": .string(app.id), "stream": .unsigned(stream.number), "state": .string(state)]
        if let link = stream.link {
            fields["route"] = .string(link.route.name)
            fields["codec"] = .string("\(link.format.codec)")
            fields["rate"] = .integer(Int64(link.format.sampleRate))
            fields["channels"] = .integer(Int64(link.format.channels))
        }
        emit("audio-stream", fields.merging(more) { $1 })
    }
}

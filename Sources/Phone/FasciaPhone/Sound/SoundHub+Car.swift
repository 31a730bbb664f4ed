import FasciaAppSound
import FasciaAudioSession
import FasciaSound
import FasciaWire

/// The car comes, goes and answers.
extension SoundHub {
    /// A connection that sound belongs to from now on.
    /// - Parameters:
    ///   - resumed: it goes on with the session: apps notice nothing.
    ///   - mainAudio: as far as is known.
    package func attach(_ new: any SoundLink, resumed: Bool, mainAudio: MainAudio, now: UInt64) {
        if car != nil, !resumed { carEnded(now: now) }
        detach()
        let isNew = car == nil
        link = new
        let sound = CarSound(new.welcome)
        car = sound
        carName = new.welcome.name
        if isNew { perform(policy.carConnected(mainAudio: mainAudio), now: now) }
        for app in apps.values { openMicrophone(app) }
    }

    /// The connection is lost. Its streams are over with it; the next packets start others on the next one.
    func detach() {
        link = nil
        draining = []
        for app in apps.values {
            for stream in app.streams.values {
                if stream.link != nil { tellStream(app, stream, "stopped", ["reason": "link"]) }
                stream.link = nil
                stream.refusal = nil
            }
            app.microphone?.id = nil
        }
    }

    /// The session is over.
    func carEnded(now: UInt64) {
        detach()
        guard car != nil else { return }
        car = nil
        lastID = 0
        for app in apps.values where app.microphone != nil { closeMicrophone(app, tells: "no car") }
        perform(policy.carDisconnected(), now: now)
        // Apps pause now. What goes on sounds again with its next packet.
        for app in apps.values {
            for stream in app.streams.values { stream.lastPacket = nil }
            perform(policy.sounding(app.id, false) + policy.listening(app.id, false), now: now)
        }
    }

    func mainAudio(_ new: MainAudio, now: UInt64) {
        for app in apps.values {
            for stream in app.streams.values where stream.refusal == .notOwned { stream.refusal = nil }
        }
        perform(policy.mainAudio(new), now: now)
    }

    // MARK: Messages

    /// A message of a sound channel.
    package func received(channel: ChannelID, type: UInt16, body: [UInt8], now: UInt64) {
        do {
            switch try SoundMessage(type, body) {
            case .started(let message): started(message, channel, now: now)
            case .status(let message): status(message, channel)
            case .stop(let message) where channel == .audioIn: microphoneStopped(message, now: now)
            case .packet(let header, let sound) where channel == .audioIn: heard(header, Array(sound), now: now)
            default: break
            }
        } catch { link?.fail("\(error)") }
    }

    private func find(_ id: UInt32, _ channel: ChannelID) -> (SoundApp, OutgoingStream, LinkStream)? {
        for app in apps.values {
            for stream in app.streams.values {
                if let link = stream.link, link.id == id, link.route.channel == channel { return (app, stream, link) }
            }
        }
        return nil
    }

    private func started(_ message: StreamStarted, _ channel: ChannelID, now: UInt64) {
        if channel == .audioIn { return microphoneStarted(message, now: now) }
        guard let (app, stream, link) = find(message.stream, channel) else { return }
        guard message.refusal == .none else { return refuse(stream, of: app, message.refusal, message.detail) }
        guard !link.isConfirmed else { return }
        link.isConfirmed = true
        tellStream(app, stream, "started")
        _ = app.port.send(.state(.with { $0.stream = stream.number; $0.playing = true }))
    }

    private func status(_ message: FasciaWire.StreamStatus, _ channel: ChannelID) {
        guard let (app, stream, link) = find(message.stream, channel), message.latencyUs > 0 else { return }
        // A change below 2 ms is nothing an app could use.
        guard abs(Int64(message.latencyUs) - Int64(link.latency)) >= 2_000 else { return }
        link.latency = message.latencyUs
        _ = app.port.send(.state(.with { $0.stream = stream.number; $0.playing = true; $0.latencyUs = message.latencyUs }))
    }
}

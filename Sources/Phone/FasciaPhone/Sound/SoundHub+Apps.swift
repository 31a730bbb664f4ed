import FasciaAppSound
import FasciaAudioSession
import FasciaSound

/// What apps send.
extension SoundHub {
    /// - Returns: false when the app's sound is over.
    package func received(_ id: AudioApp, _ received: PhoneSoundSocket.Received, now: UInt64) -> Bool {
        guard let app = apps[id] else { return false }
        switch received {
        case .none: return true
        case .ended: appGone(id, now: now)
        case .bad(let error): cutOff(app, "\(error)", now: now)
        case .ignored, .datagram:
            guard app.flood.take(now: now) else {
                cutOff(app, "more datagrams than any sound needs", now: now)
                return false
            }
            if case .datagram(let datagram) = received, let fault = take(datagram, from: app, now: now) { cutOff(app, fault, now: now) }
        }
        return apps[id] != nil
    }

    /// - Returns: the rule that the app broke.
    private func take(_ datagram: SoundFromApp, from app: SoundApp, now: UInt64) -> String? {
        switch datagram {
        case .session(let session): request(session, from: app, now: now)
        case .start(let start): return self.start(start, of: app, now: now)
        case .packet(let packet): return take(packet, from: app, now: now)
        case .stop(let stop):
            guard let stream = app.streams.removeValue(forKey: stop.stream) else { return nil }
            stopLink(of: stream, in: app, drain: stop.drain, reason: "app")
            perform(policy.sounding(app.id, app.isSounding), now: now)
        case .gain(let gain):
            guard let stream = app.streams[gain.stream] else { return nil }
            stream.gain = OutgoingStream.gain(gain.gainDb)
            if let link = stream.link { sendUpdate(link, gain: stream.gain) }
        case .micStart(let start): return startMicrophone(start, of: app, now: now)
        case .micStop(let stop):
            if app.microphone?.number == stop.stream { closeMicrophone(app, tells: "") }
            perform(policy.listening(app.id, app.microphone != nil), now: now)
        }
        return nil
    }

    private func request(_ session: AppSoundSession, from app: SoundApp, now: UInt64) {
        if app.asked.count < 16 { app.asked[session.request] = session }
        do throws(AudioSessionError) {
            let settings = try AudioSettings(category: session.category, mode: session.mode, options: session.options)
            perform(policy.request(app.id, number: session.request, active: session.active, settings: settings, notifyOthers: session.notifyOthers), now: now)
        } catch { perform([.reply(app.id, request: session.request, error)], now: now) }
    }

    private func start(_ start: AppSoundStart, of app: SoundApp, now: UInt64) -> String? {
        guard app.streams[start.stream] == nil else { return "stream \(start.stream) was started twice" }
        let format = AudioFormat(.pcm16, sampleRate: Int(start.format.sampleRate), channels: Int(start.format.channels))
        func refuse(_ why: String) {
            _ = app.port.send(.state(.with { $0.stream = start.stream; $0.refusal = why }))
        }
        if let reason = format.refusal {
            refuse("format: \(reason)")
            return nil
        }
        guard app.streams.count < SoundApp.maximumStreams else {
            refuse("too many streams")
            return nil
        }
        let stream = OutgoingStream(number: start.stream, format: format, role: start.role, gain: start.gainDb)
        app.streams[start.stream] = stream
        if stream.role.isSession { perform(policy.streamStarted(app.id), now: now) }
        return nil
    }

    private func take(_ packet: SoundPacket, from app: SoundApp, now: UInt64) -> String? {
        guard let stream = app.streams[packet.header.stream] else { return nil }
        guard packet.samples.count % stream.format.frameBytes == 0 else { return "a packet of stream \(stream.number) holds half a frame" }
        let duration = stream.format.duration(ofBytes: packet.samples.count)
        guard duration <= UInt64(AudioFormat.packetDurations.upperBound) else { return "a packet of stream \(stream.number) is longer than 60 ms" }
        guard stream.surplus.take(duration, now: now) else { return "stream \(stream.number) sends faster than sound passes" }
        let sequence = packet.header.sequence
        var missing: UInt32 = 0
        if let last = stream.lastSequence {
            guard sequence > last else { return "packets of stream \(stream.number) do not rise" }
            missing = sequence - last - 1
        }
        stream.lastSequence = sequence
        guard duration >= UInt64(AudioFormat.packetDurations.lowerBound) else { return nil } // nothing the car would take
        let wasSilent = stream.lastPacket == nil
        stream.lastPacket = now
        if wasSilent, stream.role.isSession { perform(policy.sounding(app.id, true), now: now) }
        play(packet, duration: duration, missing: missing, on: stream, of: app)
        return nil
    }
}

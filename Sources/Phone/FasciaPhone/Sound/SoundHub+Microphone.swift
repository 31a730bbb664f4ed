import FasciaAppSound
import FasciaAudioSession
import FasciaSound
import FasciaWire

/// The car's microphone: one app at a time has it.
extension SoundHub {
    /// - Returns: the rule that the app broke.
    func startMicrophone(_ start: AppMicStart, of app: SoundApp, now: UInt64) -> String? {
        guard app.microphone?.number != start.stream else { return "microphone \(start.stream) was started twice" }
        let format = AudioFormat(.pcm16, sampleRate: Int(start.format.sampleRate), channels: Int(start.format.channels))
        let refusal: String? = if !policy.mayListen(app.id) { "the session does not record, or may not now" }
            else if app.microphone != nil || apps.values.contains(where: { $0.microphone != nil }) { "somebody listens already" }
            else if car?.gives(format) != true { "there is no microphone for \(format.sampleRate) Hz, \(format.channels) channels" }
            else { nil }
        if let refusal {
            _ = app.port.send(.micState(.with { $0.stream = start.stream; $0.refusal = refusal }))
            return nil
        }
        app.microphone = MicrophoneUse(number: start.stream, format: format)
        perform(policy.listening(app.id, true), now: now)
        openMicrophone(app)
        return nil
    }

    /// Asks for it on the connection there is.
    func openMicrophone(_ app: SoundApp) {
        guard let link, let microphone = app.microphone, microphone.id == nil else { return }
        lastID &+= 1
        let start = StreamStart.with {
            $0.stream = lastID
            $0.format = microphone.format.message
            $0.label = app.label
        }
        guard let body = try? start.serializedBytes() as [UInt8], link.send(.audioIn, MessageType.streamStart, body) else { return }
        microphone.id = lastID
    }

    /// - Parameter tells: why, for the app; nil: it is not told.
    func closeMicrophone(_ app: SoundApp, tells reason: String?) {
        guard let microphone = app.microphone else { return }
        app.microphone = nil
        if let id = microphone.id, let body = try? StreamStop.with({ $0.stream = id }).serializedBytes() as [UInt8] {
            _ = link?.send(.audioIn, MessageType.streamStop, body)
        }
        guard let reason else { return }
        _ = app.port.send(.micState(.with { $0.stream = microphone.number; $0.refusal = reason }))
    }

    private func listener(_ id: UInt32) -> (SoundApp, MicrophoneUse)? {
        for app in apps.values {
            if let microphone = app.microphone, microphone.id == id { return (app, microphone) }
        }
        return nil
    }

    func microphoneStarted(_ message: StreamStarted, now: UInt64) {
        guard let (app, microphone) = listener(message.stream) else { return }
        guard message.refusal == .none else { return lose(app, "\(message.refusal): \(message.detail.prefix(200))", now: now) }
        microphone.isOn = true
        _ = app.port.send(.micState(.with { $0.stream = microphone.number; $0.on = true }))
    }

    func microphoneStopped(_ message: StreamStop, now: UInt64) {
        guard let (app, _) = listener(message.stream) else { return }
        lose(app, message.detail.isEmpty ? "the car closed it" : String(message.detail.prefix(200)), now: now)
    }

    private func lose(_ app: SoundApp, _ reason: String, now: UInt64) {
        app.microphone?.id = nil
        closeMicrophone(app, tells: reason)
        perform(policy.listening(app.id, false), now: now)
    }

    /// Sound of the car's microphone goes to who listens. An app that does not read misses it.
    func heard(_ header: AudioPacketHeader, _ samples: [UInt8], now: UInt64) {
        guard let (app, microphone) = listener(header.stream), !samples.isEmpty, samples.count % microphone.format.frameBytes == 0 else { return }
        let duration = microphone.format.duration(ofBytes: samples.count)
        let own = SoundPacketHeader(stream: microphone.number, sequence: microphone.sequence, time: now &- min(now, duration))
        microphone.sequence &+= 1
        _ = app.port.send(.micPacket(SoundPacket(own, samples: samples)))
    }
}

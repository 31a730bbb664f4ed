import FasciaAppSound
import FasciaAudioSession
import FasciaSound
import FasciaWire

/// Streams on the link.
extension SoundHub {
    private func route(_ stream: OutgoingStream, of app: SoundApp) -> AudioRoute {
        switch stream.role {
        case .alert: .alert
        case .ui: .ui
        case .session, .UNRECOGNIZED: policy.route(app.id)
        }
    }

    private func maySound(_ stream: OutgoingStream, of app: SoundApp) -> Bool { !stream.role.isSession || policy.maySound(app.id) }

    private func duck(_ stream: OutgoingStream, of app: SoundApp) -> FasciaSound.Duck? {
        stream.role.isSession && policy.ducksOthers(app.id) ? FasciaSound.Duck() : nil
    }

    /// Brings the streams on the link in line with what the policy says by now.
    func reconcile() {
        for app in apps.values {
            for stream in app.streams.values {
                guard let link = stream.link else { continue }
                if !maySound(stream, of: app) {
                    stopLink(of: stream, in: app, drain: false, reason: "policy")
                } else if link.route != route(stream, of: app) {
                    stopLink(of: stream, in: app, drain: true, reason: "route")
                } else if link.duck != duck(stream, of: app) {
                    link.duck = duck(stream, of: app)
                    sendUpdate(link, gain: stream.gain)
                }
            }
        }
    }

    /// Sends a packet on, or throws it away.
    func play(_ packet: SoundPacket, duration: UInt64, missing: UInt32, on stream: OutgoingStream, of app: SoundApp) {
        guard link != nil, stream.refusal == nil, maySound(stream, of: app) else { return }
        if let link = stream.link { link.lose(missing, of: duration) } else { startLink(of: stream, in: app) }
        guard let link = stream.link else { return }
        guard let opus = link.opus else { return enqueue(packet.samples, at: packet.header.time, duration: duration, on: link, of: app) }
        do throws(SoundError) {
            for made in try opus.add(packet.samples, time: packet.header.time) { enqueue(made.data, at: made.time, duration: opus.duration, on: link, of: app) }
        } catch { refuse(stream, of: app, .format, "\(error)") }
    }

    private func startLink(of stream: OutgoingStream, in app: SoundApp) {
        let route = route(stream, of: app)
        guard let link, let car, car.takes(route), let format = car.format(for: stream.format, prefersOpus: prefersOpus) else {
            return refuse(stream, of: app, .format, "the car plays no \(stream.format.sampleRate) Hz, \(stream.format.channels) channels, on \(route.name)")
        }
        var opus: OpusPackets?
        if format.codec == .opus {
            do throws(SoundError) { opus = try OpusPackets(stream.format, to: format, route: route) } catch { return refuse(stream, of: app, .format, "\(error)") }
        }
        lastID &+= 1
        let new = LinkStream(id: lastID, route: route, format: format, opus: opus, duck: duck(stream, of: app))
        let start = StreamStart.with {
            $0.stream = new.id
            $0.format = format.message
            $0.gainDb = stream.gain
            if let duck = new.duck { $0.duck = duck.message }
            $0.label = app.label
        }
        guard let body = try? start.serializedBytes() as [UInt8], link.send(route.channel, MessageType.streamStart, body) else { return }
        stream.link = new
    }

    private func enqueue(_ data: [UInt8], at time: UInt64, duration: UInt64, on stream: LinkStream, of app: SoundApp) {
        var body: [UInt8] = []
        body.reserveCapacity(AudioPacketHeader.size + data.count)
        AudioPacketHeader(stream: stream.id, sequence: stream.sequence, time: time).encode(into: &body)
        body += data
        stream.sequence &+= 1
        flush(stream)
        if stream.ring.isEmpty, hasRoom(for: stream), link?.send(stream.route.channel, MessageType.audioPacket, body) == true { return }
        let count = stream.ring.append(PacketRing.Packet(body: body, duration: duration))
        if count > 0 { countDropped(app, count) }
    }

    /// The link holds less than 50 ms of this channel's streams.
    private func hasRoom(for stream: LinkStream) -> Bool {
        let neighbours = apps.values.flatMap(\.streams.values).compactMap(\.link).filter { $0.route == stream.route && $0.id != stream.id }
        let limit = neighbours.reduce(stream.room) { $0 + $1.room }
        return (link?.queuedBytes(stream.route.channel) ?? .max) < limit
    }

    func flush(_ stream: LinkStream) {
        while let packet = stream.ring.oldest, hasRoom(for: stream) {
            guard link?.send(stream.route.channel, MessageType.audioPacket, packet.body) == true else { return }
            stream.ring.next()
        }
    }

    // MARK: The end of a stream

    /// Nothing of it sounds in the car any more; a next packet starts it anew.
    func stopLink(of stream: OutgoingStream, in app: SoundApp, drain: Bool, reason: String) {
        guard let old = stream.link else { return }
        tellStream(app, stream, "stopped", ["reason": .string(reason)])
        stream.link = nil
        if drain, let opus = old.opus, let rest = try? opus.finish() { enqueue(rest.data, at: rest.time, duration: opus.duration, on: old, of: app) }
        flush(old)
        if drain, !old.ring.isEmpty, draining.count < SoundApp.maximumStreams { draining.append(old) } else { sendStop(old, drain: drain) }
    }

    func sendStop(_ stream: LinkStream, drain: Bool) {
        let stop = StreamStop.with {
            $0.stream = stream.id
            $0.drain = drain
        }
        if let body = try? stop.serializedBytes() as [UInt8] { _ = link?.send(stream.route.channel, MessageType.streamStop, body) }
    }

    func sendUpdate(_ stream: LinkStream, gain: Float) {
        let update = StreamUpdate.with {
            $0.stream = stream.id
            $0.gainDb = gain
            if let duck = stream.duck { $0.duck = duck.message }
        }
        if let body = try? update.serializedBytes() as [UInt8] { _ = link?.send(stream.route.channel, MessageType.streamUpdate, body) }
    }

    /// The app hears that it is not heard. Its time goes on, and its packets are thrown away.
    func refuse(_ stream: OutgoingStream, of app: SoundApp, _ refusal: StreamRefusal, _ detail: String) {
        stream.refusal = refusal
        tellStream(app, stream, "refused", ["reason": .string("\(refusal)"), "detail": .string(detail)])
        stream.link = nil
        _ = app.port.send(.state(.with { $0.stream = stream.number; $0.refusal = detail.isEmpty ? "\(refusal)" : "\(refusal): \(detail.prefix(200))" }))
    }
}

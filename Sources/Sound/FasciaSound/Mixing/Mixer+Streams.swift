extension Mixer {
    /// What became of a packet.
    public enum Reception: Hashable, Sendable {
        /// The stream's buffer has it, or says why not.
        case stream(JitterBuffer.Admission)
        /// Never started, or over: nothing happens.
        case unknownStream
    }

    /// A stream of the phone begins; its packets may come at once.
    /// - Parameters:
    ///   - gain: dB, -100 to 0.
    ///   - duck: what it does to media and radio from now until it is over.
    public func start(_ key: StreamKey, format: AudioFormat, gain: Float = 0, duck: Duck? = nil, label: String = "") throws(SoundError) {
        guard streams[key] == nil else { throw SoundError(.reusedStream, "stream \(key.number) of \(key.route.name) plays already") }
        guard streams.count < Self.maxStreams else { throw SoundError(.tooManyStreams, "\(Self.maxStreams) streams play already") }
        let buffer = try JitterBuffer(format: format, outputRate: Self.sampleRate, margin: key.route.margin)
        let input = MixerInput(
            source: .stream(key, buffer), route: key.route, label: label, ducked: key.route == .media, gain: Self.decibels(gain),
            duckLevel: ducker.strongest(except: nil)?.level ?? 0)
        streams[key] = input
        setDuck(duck, of: input)
    }

    /// A packet of the phone came.
    /// - Parameters:
    ///   - time: the phone's clock at its first frame, nanoseconds.
    ///   - now: when it arrived.
    @discardableResult
    public func push(_ key: StreamKey, sequence: UInt32, time: UInt64, data: UnsafeRawBufferPointer, now: UInt64) -> Reception {
        guard let input = streams[key], case .stream(_, let buffer) = input.source else { return .unknownStream }
        return .stream(buffer.push(sequence: sequence, time: time, data: data, now: now))
    }

    /// New gain and duck; nil: it ducks no more. Nothing happens when there is no such stream.
    public func update(_ key: StreamKey, gain: Float, duck: Duck?) {
        guard let input = streams[key] else { return }
        input.gainDecibels = Self.decibels(gain)
        input.gain.move(to: DecibelRamp.factor(input.gainDecibels), frames: Self.volumeRamp)
        setDuck(duck, of: input)
    }

    /// The phone ends a stream.
    /// - Parameter drain: play what has come, and duck as long; else fade out in 10 ms.
    public func stop(_ key: StreamKey, drain: Bool) {
        guard let input = streams[key] else { return }
        if drain, case .stream(_, let buffer) = input.source {
            input.ending = true
            buffer.drain()
        } else {
            cut(stream: key)
        }
    }

    /// The connection is gone: what is buffered fades out in 10 ms, and nothing of the phone's ducks any more.
    public func linkLost() {
        for key in Array(streams.keys) { cut(stream: key) }
    }

    /// Streams that are over since the last call, ended by the phone, by `linkLost` or played out.
    public func takeEnded() -> [StreamKey] {
        defer { ended.removeAll() }
        return ended
    }

    /// Every stream of the phone that plays, by route and number.
    public var status: [StreamStatus] {
        streams.values.compactMap { input in
            guard case .stream(let key, let buffer) = input.source else { return nil }
            let route = routes[Int(key.route.rawValue)]
            return StreamStatus(
                key: key, format: buffer.format, label: input.label, buffer: buffer.statistics, gain: input.gainDecibels,
                duck: input.ducked ? input.duck.level : 0, latency: clockOffset.flatMap { offset in input.lag.map { $0 &- offset } },
                ending: input.ending, muted: route.muted, volume: route.volume)
        }.sorted { ($0.key.route.rawValue, $0.key.number) < ($1.key.route.rawValue, $1.key.number) }
    }

    static func decibels(_ gain: Float) -> Float { gain.isNaN ? 0 : min(max(gain, -100), 0) }

    private func cut(stream key: StreamKey) {
        guard let input = streams[key] else { return }
        input.leaving = true
        input.fade.move(to: 0, frames: Self.cutFade)
        leaving.append(input)
        remove(stream: key)
    }

    func remove(stream key: StreamKey) {
        streams[key] = nil
        ended.append(key)
        setDuck(nil, by: .stream(key))
    }
}

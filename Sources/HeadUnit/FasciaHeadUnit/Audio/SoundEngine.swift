import FasciaSound
import FasciaSoundIO
import FasciaWire
import Synchronization

/// The mixer on the sink's thread. Orders go in and figures come out by copies under locks held for a moment: whoever draws or reads the
/// network never waits for who mixes, nor the other way round.
final class SoundEngine: Sendable {
    /// How it stands, a few milliseconds old at most while sound is asked for.
    struct Picture: Sendable {
        var streams: [FasciaSound.StreamStatus] = []
        /// Streams silenced because the car has the main audio.
        var held: Set<StreamKey> = []
        /// What ducks now, and who.
        var duck: (level: Float, by: [StreamKey])?
        /// Where the duck is on its ramp, dB.
        var duckLevel: Float = 0
        /// How it moved there, the latest last.
        var duckMoves: [DuckMove] = []
        /// Largest sample of the mix since the last look, full scale 1.
        var peak: Float = 0
    }

    /// Blocks between two looks at the mixer's figures, so many frames: 10 ms.
    private static let lookFrames = Mixer.sampleRate / 100
    /// Of silence, until the sink may rest: 200 ms.
    private static let idleFrames = Mixer.sampleRate / 5

    private let inbox = SoundInbox()
    private let picture = Mutex(Picture())
    private let latencies = Mutex(SoundLatencies())
    private let ended = Mutex([StreamKey]())
    private let sink: any SoundSink
    private let loop: MixLoop

    init(sink: any SoundSink) {
        self.sink = sink
        loop = MixLoop(sink)
    }

    func start() throws(SoundError) {
        try sink.start { [loop, weak self] samples, frames, time in
            guard let self else {
                samples.update(repeating: 0, count: frames * 2)
                return false
            }
            return loop.run(samples, frames: frames, time: time, for: self)
        }
    }

    func stop() { sink.stop() }

    @discardableResult
    func post(_ order: SoundOrder) -> Bool {
        let taken = inbox.put(order)
        sink.wake()
        return taken
    }

    var now: Picture { picture.withLock { $0 } }
    var dropped: Int { inbox.dropped }
    var sinkName: String { sink.name }
    var sinkLatency: Int64 { sink.latency }
    var sinkStatistics: SinkStatistics { sink.statistics }

    /// One stream, for its StreamStatus.
    func status(_ key: StreamKey) -> FasciaSound.StreamStatus? { picture.withLock { $0.streams.first { $0.key == key } } }

    /// Streams that are over since the last call.
    func takeEnded() -> [StreamKey] { ended.withLock { ended in defer { ended.removeAll() }; return ended } }

    func withLatencies<R: Sendable>(_ body: (inout SoundLatencies) -> R) -> R { latencies.withLock { body(&$0) } }

    // MARK: Mixer's thread

    /// What only the sink's thread touches, which never runs twice at once.
    private final class MixLoop: @unchecked Sendable {
        private let mixer = Mixer()
        private let sinkLatency: Int64
        private var batch: [SoundOrder] = []
        private var gate = MainAudioGate()
        private var sinceLook = 0
        /// Frames without a stream or a sound of the car's.
        private var idle = 0
        private var peak: Float = 0

        init(_ sink: any SoundSink) {
            sinkLatency = sink.latency
            if sink.takesRoutes { mixer.onRouteMixed = { [unowned sink] route, samples, frames in sink.routeMixed(route, samples, frames: frames) } }
        }

        /// - Returns: false: nothing sounds, and nothing will before an order comes.
        func run(_ samples: UnsafeMutablePointer<Float>, frames: Int, time: UInt64, for engine: SoundEngine) -> Bool {
            engine.inbox.take(&batch)
            for order in batch { carryOut(order, for: engine) }
            batch.removeAll(keepingCapacity: true)
            mixer.mix(samples, frames: frames, now: time &+ UInt64(clamping: sinkLatency))
            collectEnded(engine)
            for index in 0..<frames * 2 { peak = max(peak, abs(samples[index])) }
            sinceLook += frames
            if sinceLook >= SoundEngine.lookFrames { look(engine) }
            idle = mixer.isIdle ? idle + frames : 0
            return idle < SoundEngine.idleFrames
        }

        private func collectEnded(_ engine: SoundEngine) {
            let over = mixer.takeEnded()
            if over.isEmpty { return }
            for key in over { gate.ended(key) }
            engine.ended.withLock { $0 += over }
        }

        private func look(_ engine: SoundEngine) {
            sinceLook = 0
            let streams = mixer.status
            if !streams.isEmpty { engine.latencies.withLock { $0.record(streams) } }
            let picture = Picture(streams: streams, held: gate.held, duck: mixer.activeDuck.map { ($0.level, mixer.ducking(to: $0.level)) },
                                  duckLevel: mixer.duckLevel, duckMoves: mixer.duckMoves, peak: peak)
            engine.picture.withLock { $0 = picture }
            peak = 0
        }

        private func carryOut(_ order: SoundOrder, for engine: SoundEngine) {
            switch order {
            case .packet(let key, let header, let body, let arrival):
                body.withUnsafeBytes { bytes in
                    guard bytes.count > AudioPacketHeader.size else { return }
                    let data = UnsafeRawBufferPointer(rebasing: bytes[AudioPacketHeader.size...])
                    _ = mixer.push(key, sequence: header.sequence, time: header.time, data: data, now: arrival)
                }
            case .start(let key, let format, let gain, let duck, let label):
                // The desk has checked what can be wrong with it.
                guard (try? mixer.start(key, format: format, gain: gain, label: label)) != nil else { return }
                gate.began(key, gain: gain, duck: duck, mixer)
            case .update(let key, let gain, let duck): gate.changed(key, gain: gain, duck: duck, mixer)
            case .stop(let key, let drain): mixer.stop(key, drain: drain && !gate.held.contains(key))
            case .linkLost:
                mixer.linkLost()
                collectEnded(engine) // before the next connection begins streams of the same numbers
            case .mainAudio(let has): gate.setMainAudio(has, mixer)
            case .volume(let route, let volume): mixer.setVolume(route, volume)
            case .mute(let route, let muted): mixer.setMute(route, muted)
            case .begin(.radio): mixer.start(local: CarSource.radio.rawValue, RadioProgramme(), route: .media, ducked: true)
            case .begin(.ring): mixer.start(local: CarSource.ring.rawValue, CallSound(isRinging: true), route: .telephony)
            case .begin(.call): mixer.start(local: CarSource.call.rawValue, CallSound(isRinging: false), route: .telephony)
            case .end(let source): mixer.stop(local: source.rawValue)
            case .clock(let offset): mixer.clockOffset = offset
            }
        }
    }
}

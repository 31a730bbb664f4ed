/// Mixes the phone's streams and the car's own sounds to stereo at 48 kHz: by route, ducked, limited. No clock, no lock and no thread of its
/// own: `now` is given, nanoseconds of the monotonic clock, and calls must not overlap.
///
/// Ramps are counted in frames mixed: they are right in the sound whatever the caller's timing.
public final class Mixer {
    /// Frames a second of everything that comes out.
    public static let sampleRate = 48_000
    /// Streams of the phone at a time, of all routes.
    public static let maxStreams = 16
    /// Frames mixed in one step, 5 ms: the grain of ramps.
    public static let step = 240
    /// Of volume and mute.
    static let volumeRamp = sampleRate / 50
    /// Of a stream that is cut off.
    static let cutFade = sampleRate / 100

    /// The head unit's clock less the phone's, nanoseconds; nil: not known. For `StreamStatus.latency`.
    public var clockOffset: Int64?
    /// Writes what was mixed of each route, before the limiter: route, stereo samples, frames.
    public var onRouteMixed: ((AudioRoute, UnsafePointer<Float>, Int) -> Void)?

    var streams: [StreamKey: MixerInput] = [:]
    var locals: [String: MixerInput] = [:]
    /// Fading out, and not to be addressed any more.
    var leaving: [MixerInput] = []
    var ducker = Ducker<DuckOwner>()
    /// Where the duck would be that nothing follows now.
    var unheardDuck = DecibelRamp()
    /// How the duck moved lately, the latest last.
    public internal(set) var duckMoves: [DuckMove] = []
    var routes: [RouteState]
    var radioOn = false
    var ended: [StreamKey] = []
    private var limiter = SoftLimiter(sampleRate: sampleRate)
    private let buses: UnsafeMutablePointer<Float>
    private let scratch: UnsafeMutablePointer<Float>
    private var busUsed = [Bool](repeating: false, count: AudioRoute.allCases.count)

    /// Who ducks.
    enum DuckOwner: Hashable {
        case stream(StreamKey)
        case local(String)
    }

    struct RouteState {
        var volume: Float = 1
        var muted = false
        var gain = GainRamp(1)
    }

    public init() {
        routes = AudioRoute.allCases.map { _ in RouteState() }
        let samples = Self.step * 2
        buses = .allocate(capacity: samples * AudioRoute.allCases.count)
        buses.initialize(repeating: 0, count: samples * AudioRoute.allCases.count)
        scratch = .allocate(capacity: samples)
        scratch.initialize(repeating: 0, count: samples)
    }

    deinit {
        buses.deallocate()
        scratch.deallocate()
    }

    /// The next `frames` of the mix.
    /// - Parameters:
    ///   - output: overwritten, room for `frames` stereo frames.
    ///   - now: when the first of them leaves the sink, or a fixed time before.
    public func mix(_ output: UnsafeMutablePointer<Float>, frames: Int, now: UInt64) {
        var done = 0
        while done < frames {
            let count = min(Self.step, frames - done)
            let time = now &+ UInt64(done.nanoseconds(at: Self.sampleRate))
            mixStep(output + done * 2, frames: count, now: time)
            done += count
        }
    }

    /// Nothing sounds, and nothing will until something is begun or changed.
    public var isIdle: Bool {
        streams.isEmpty && locals.isEmpty && leaving.isEmpty && !unheardDuck.isMoving && !routes.contains { $0.gain.isMoving }
            && (duckMoves.last.map { $0.ended != nil } ?? true)
    }

    private func mixStep(_ output: UnsafeMutablePointer<Float>, frames: Int, now: UInt64) {
        let duckBefore = duckLevel
        defer { noteDuck(before: duckBefore, began: now) }
        output.update(repeating: 0, count: frames * 2)
        _ = unheardDuck.advance(frames)
        for index in busUsed.indices { busUsed[index] = false }
        for (key, input) in streams where !add(input, output, frames: frames, now: now) { remove(stream: key) }
        for (name, input) in locals where !add(input, output, frames: frames, now: now) { remove(local: name) }
        if !leaving.isEmpty { leaving.removeAll { !add($0, output, frames: frames, now: now) } }
        for route in AudioRoute.allCases { mixRoute(route, output, frames: frames) }
        limiter.apply(output, frames: frames)
    }

    /// Adds one input to its route, or to the mix when it has none.
    /// - Returns: false: it is over.
    private func add(_ input: MixerInput, _ output: UnsafeMutablePointer<Float>, frames: Int, now: UInt64) -> Bool {
        let (goesOn, sounds) = input.render(scratch, frames: frames, now: now)
        if goesOn, !input.leaving { watchDuck(input, frames: frames) }
        let gain = input.advance(frames)
        if sounds {
            if let route = input.route {
                let bus = self.bus(route)
                if !busUsed[Int(route.rawValue)] {
                    bus.update(repeating: 0, count: frames * 2)
                    busUsed[Int(route.rawValue)] = true
                }
                Self.add(scratch, to: bus, frames: frames, gain)
            } else {
                Self.add(scratch, to: output, frames: frames, gain)
            }
        }
        return goesOn && !(input.leaving && !input.fade.isMoving)
    }

    private func mixRoute(_ route: AudioRoute, _ output: UnsafeMutablePointer<Float>, frames: Int) {
        let index = Int(route.rawValue)
        let gain = routes[index].gain.advance(frames)
        let bus = self.bus(route)
        if busUsed[index] {
            Self.scale(bus, frames: frames, gain)
            for sample in 0..<frames * 2 { output[sample] += bus[sample] }
        } else if onRouteMixed != nil {
            bus.update(repeating: 0, count: frames * 2)
        }
        onRouteMixed?(route, bus, frames)
    }

    private func bus(_ route: AudioRoute) -> UnsafeMutablePointer<Float> { buses + Int(route.rawValue) * Self.step * 2 }

    private static func add(_ from: UnsafePointer<Float>, to: UnsafeMutablePointer<Float>, frames: Int, _ gain: (from: Float, to: Float)) {
        if gain.from == gain.to {
            guard gain.from != 0 else { return }
            for sample in 0..<frames * 2 { to[sample] += from[sample] * gain.from }
        } else {
            let step = (gain.to - gain.from) / Float(frames)
            for frame in 0..<frames {
                let factor = gain.from + step * Float(frame)
                to[frame * 2] += from[frame * 2] * factor
                to[frame * 2 + 1] += from[frame * 2 + 1] * factor
            }
        }
    }

    private static func scale(_ samples: UnsafeMutablePointer<Float>, frames: Int, _ gain: (from: Float, to: Float)) {
        if gain.from == 1, gain.to == 1 { return }
        let step = (gain.to - gain.from) / Float(frames)
        for frame in 0..<frames {
            let factor = gain.from + step * Float(frame)
            samples[frame * 2] *= factor
            samples[frame * 2 + 1] *= factor
        }
    }
}

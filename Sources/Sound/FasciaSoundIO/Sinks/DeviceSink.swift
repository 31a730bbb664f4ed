import CSDL2
import FasciaEvents
import FasciaSound
import Synchronization

/// The default sound device, by SDL2 (`SDL_AUDIODRIVER` chooses how).
public final class DeviceSink: SoundSink {
    public let name: String
    /// Of what the device plays at a time, nanoseconds: the block that was asked for is heard after the one that plays.
    public let latency: Int64
    private let device: SDL_AudioDeviceID
    private let callback: DeviceCallback
    private let open = Mutex(true)

    /// Whether there is a device to play to.
    public static var isAvailable: Bool { SoundDevices.count(recording: false) > 0 }

    /// - Parameter periodFrames: asked for at a time, a power of two: 5.3 ms unless told.
    public init(periodFrames: Int = 256) throws(SoundError) {
        guard SDL_InitSubSystem(SDL_INIT_AUDIO) == 0 else { throw .sdl("there is no sound system") }
        callback = DeviceCallback(rate: Mixer.sampleRate)
        var wanted = SDL_AudioSpec()
        wanted.freq = Int32(Mixer.sampleRate)
        wanted.format = SDL_AudioFormat(AUDIO_F32SYS)
        wanted.channels = 2
        wanted.samples = UInt16(clamping: periodFrames)
        wanted.callback = deviceAsks
        wanted.userdata = Unmanaged.passUnretained(callback).toOpaque()
        var granted = SDL_AudioSpec()
        device = SDL_OpenAudioDevice(nil, 0, &wanted, &granted, 0)
        guard device != 0 else { throw .sdl("the sound device cannot be opened") }
        latency = Int(granted.samples).nanoseconds
        name = "device (\(SDL_GetCurrentAudioDriver().map { String(cString: $0) } ?? "SDL2"))"
    }

    deinit { stop() }

    public var statistics: SinkStatistics { callback.statistics }

    public func start(_ render: @escaping SoundRender) throws(SoundError) {
        callback.set(render)
        SDL_PauseAudioDevice(device, 0)
    }

    public func stop() {
        let first = open.withLock { open in
            defer { open = false }
            return open
        }
        if first { SDL_CloseAudioDevice(device) } // waits for a callback that runs
    }
}

/// What SDL's thread calls.
private final class DeviceCallback: Sendable {
    private struct State {
        var render: SoundRender?
        var statistics = SinkStatistics()
        var lastAsked: UInt64?
    }

    private let state = Mutex(State())
    private let rate: Int

    init(rate: Int) { self.rate = rate }

    var statistics: SinkStatistics { state.withLock(\.statistics) }

    func set(_ render: @escaping SoundRender) { state.withLock { $0.render = render } }

    func ask(_ samples: UnsafeMutablePointer<Float>, frames: Int) {
        let now = MonotonicClock.now()
        let period = Int64(frames) * 1_000_000_000 / Int64(rate)
        let render = state.withLock { state in
            if let last = state.lastAsked {
                let delay = Int64(now - last) - period
                state.statistics.largestDelay = max(state.statistics.largestDelay, delay)
                if delay > period { state.statistics.missedDeadlines += 1 }
            }
            state.lastAsked = now
            state.statistics.frames += Int64(frames)
            return state.render
        }
        guard let render else { return samples.update(repeating: 0, count: frames * 2) }
        render(samples, frames, now)
    }
}

/// On SDL's thread.
private nonisolated func deviceAsks(_ context: UnsafeMutableRawPointer?, _ stream: UnsafeMutablePointer<UInt8>?, _ bytes: Int32) {
    guard let context, let stream, bytes > 0 else { return }
    let frames = Int(bytes) / 8
    let samples = UnsafeMutableRawPointer(stream).bindMemory(to: Float.self, capacity: frames * 2)
    Unmanaged<DeviceCallback>.fromOpaque(context).takeUnretainedValue().ask(samples, frames: frames)
}

extension Int {
    /// Of frames at the mixer's rate.
    fileprivate var nanoseconds: Int64 { Int64(self) * 1_000_000_000 / Int64(Mixer.sampleRate) }
}

extension SoundError {
    static func sdl(_ what: String) -> SoundError {
        SoundError(.device, "\(what) (SDL: \(String(cString: SDL_GetError()))): connect one, or choose a file or null")
    }
}

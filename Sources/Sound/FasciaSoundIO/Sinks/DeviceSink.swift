import CSDL2
import FasciaSound
import Foundation
import Synchronization

/// The default sound device, by SDL2 (`SDL_AUDIODRIVER` chooses how). One that goes, or asks for nothing any more, is given up: the mixer
/// goes on at the pace of the clock into nowhere, so that streams end and ducks come back, and the statistics say why nothing is heard.
public final class DeviceSink: SoundSink {
    public let name: String
    /// Of what the device plays at a time, nanoseconds: the block that was asked for is heard after the one that plays.
    public let latency: Int64
    private let device: SDL_AudioDeviceID
    private let callback: DeviceCallback
    private let state = Mutex(State())
    /// Takes the device's place.
    private let substitute = NullSink()
    private let ending = DispatchSemaphore(value: 0)

    /// Nanoseconds a device may ask for nothing.
    private static let patience: UInt64 = 2_000_000_000

    private struct State {
        var isOpen = true
        /// Its thread may be stuck, and closing it would be too.
        var isGivenUp = false
    }

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

    public var statistics: SinkStatistics {
        var statistics = callback.statistics
        statistics.frames += substitute.statistics.frames
        return statistics
    }

    public func start(_ render: @escaping SoundRender) throws(SoundError) {
        callback.set(render)
        SDL_PauseAudioDevice(device, 0)
        let thread = Thread { [weak self, ending] in
            while ending.wait(timeout: .now() + .milliseconds(500)) == .timedOut { if self?.checkDevice() != true { return } }
        }
        thread.stackSize = 128 << 10
        thread.start()
    }

    public func wake() { substitute.wake() }

    /// Gives the device up when it has gone, or has asked for nothing for too long.
    /// - Returns: false: it was given up, or closed.
    private func checkDevice() -> Bool {
        let reason: String
        if SDL_GetAudioDeviceStatus(device) == SDL_AUDIO_STOPPED {
            reason = "the sound device has gone: connect it and start again"
        } else if callback.silence > Self.patience {
            reason = "the sound device takes no sound: see whether another program holds it, and start again"
        } else {
            return true
        }
        let isOpen = state.withLock { state in
            if state.isOpen { state.isGivenUp = true }
            return state.isOpen
        }
        guard isOpen, let render = callback.giveUp(reason) else { return false }
        try? substitute.start(render)
        return false
    }

    public func stop() {
        let before = state.withLock { state in
            defer { state.isOpen = false }
            return state
        }
        guard before.isOpen else { return }
        ending.signal()
        substitute.stop()
        if before.isGivenUp {
            _ = Unmanaged.passRetained(callback) // its thread may come back
        } else {
            SDL_CloseAudioDevice(device) // waits for a callback that runs
        }
    }
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

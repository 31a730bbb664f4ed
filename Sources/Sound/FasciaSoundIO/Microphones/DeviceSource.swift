import CSDL2
import FasciaEvents
import FasciaSound
import Synchronization

/// The default microphone, by SDL2.
public final class DeviceSource: SoundSource {
    public let name: String
    public let sampleRate: Int
    public let channels: Int
    private let device: SDL_AudioDeviceID
    private let callback: CaptureCallback
    private let open = Mutex(true)

    /// Whether there is a microphone.
    public static var isAvailable: Bool { SoundDevices.count(recording: true) > 0 }

    /// - Parameters:
    ///   - sampleRate: wanted, Hz; SDL converts.
    ///   - channels: wanted, 1 or 2.
    public init(sampleRate: Int, channels: Int) throws(SoundError) {
        guard (8_000...192_000).contains(sampleRate), (1...2).contains(channels) else {
            throw SoundError(.format, "a microphone gives 8,000 to 192,000 Hz and 1 or 2 channels")
        }
        guard SDL_InitSubSystem(SDL_INIT_AUDIO) == 0 else { throw .sdl("there is no sound system") }
        callback = CaptureCallback(rate: sampleRate, channels: channels)
        var wanted = SDL_AudioSpec()
        wanted.freq = Int32(sampleRate)
        wanted.format = SDL_AudioFormat(AUDIO_F32SYS)
        wanted.channels = UInt8(channels)
        wanted.samples = UInt16(clamping: sampleRate / 100)
        wanted.callback = microphoneGives
        wanted.userdata = Unmanaged.passUnretained(callback).toOpaque()
        var granted = SDL_AudioSpec()
        device = SDL_OpenAudioDevice(nil, 1, &wanted, &granted, 0)
        guard device != 0 else { throw .sdl("the microphone cannot be opened") }
        name = "device (\(SDL_GetCurrentAudioDriver().map { String(cString: $0) } ?? "SDL2"))"
        (self.sampleRate, self.channels) = (sampleRate, channels)
    }

    deinit { stop() }

    public func start(_ receive: @escaping SoundReceive) throws(SoundError) {
        callback.set(receive)
        SDL_PauseAudioDevice(device, 0)
    }

    public func stop() {
        let first = open.withLock { open in
            defer { open = false }
            return open
        }
        if first { SDL_CloseAudioDevice(device) }
    }
}

/// What SDL's thread calls.
private final class CaptureCallback: Sendable {
    private let receive = Mutex<SoundReceive?>(nil)
    let rate: Int
    let channels: Int

    init(rate: Int, channels: Int) { (self.rate, self.channels) = (rate, channels) }

    func set(_ new: @escaping SoundReceive) { receive.withLock { $0 = new } }

    func give(_ samples: UnsafePointer<Float>, frames: Int) {
        let length = UInt64(frames) * 1_000_000_000 / UInt64(rate)
        receive.withLock(\.self)?(samples, frames, MonotonicClock.now() - length)
    }
}

/// On SDL's thread.
private nonisolated func microphoneGives(_ context: UnsafeMutableRawPointer?, _ stream: UnsafeMutablePointer<UInt8>?, _ bytes: Int32) {
    guard let context, let stream, bytes > 0 else { return }
    let callback = Unmanaged<CaptureCallback>.fromOpaque(context).takeUnretainedValue()
    let frames = Int(bytes) / (4 * callback.channels)
    callback.give(UnsafeMutableRawPointer(stream).bindMemory(to: Float.self, capacity: frames * callback.channels), frames: frames)
}

import FasciaAppSound

/// The app's way to the phone for everything that sounds (spec/appsound.md). Usable from any thread; nothing but `ask` waits.
package protocol SoundPort: Sendable {
    /// States the app's session and waits for the answer, at most a second. Nil: none came.
    func ask(_ session: AppSoundSession) -> AppSoundSessionReply?
    /// A stream of stereo S16LE begins.
    func start(stream: UInt32, sampleRate: Int, role: AppSoundRole)
    /// - Parameter time: of the first frame, nanoseconds of the monotonic clock.
    func send(stream: UInt32, sequence: UInt32, time: UInt64, samples: UnsafeBufferPointer<Int16>)
    func stop(stream: UInt32, drain: Bool)
    /// Asks for mono S16LE of the microphone.
    func startMicrophone(stream: UInt32, sampleRate: Int)
    func stopMicrophone(stream: UInt32)
}

/// What the phone tells the app by itself.
package enum SoundEvent: Sendable {
    case interruption(AppSoundInterruption)
    case routeChange(AppSoundRouteChange)
    case hint(begin: Bool)
    case streamState(AppSoundState)
    case microphone(AppMicState)
    case microphonePacket(stream: UInt32, time: UInt64, samples: [Int16])
    /// Nothing follows: the phone is gone.
    case ended
}

/// An app, by its bundle identifier.
public typealias AudioApp = String

/// What is to be done after an input to ``AudioSessionPolicy``, in order.
public enum PolicyOutput: Hashable, Sendable {
    /// Answers a request.
    case reply(AudioApp, request: UInt64, AudioSessionError?)
    /// All streams of its session are over; the app starts others when it may.
    case endStreams(AudioApp, EndReason)
    /// - Parameter by: another app; nil: the car.
    case interruptionBegan(AudioApp, by: AudioApp?)
    case interruptionEnded(AudioApp, shouldResume: Bool)
    /// `silenceSecondaryAudioHint` began or ended.
    case hint(AudioApp, begin: Bool)
    case routeChange(AudioApp, RouteChange)
    /// - Parameter for: who waits for the answer; nil: nobody.
    case ownership(OwnershipWish, for: AudioApp? = nil)
    /// Changed.
    case states(AudioStates)

    public enum EndReason: String, Hashable, Sendable { case interrupted, inactive }
    /// `AVAudioSession.RouteChangeReason`; raw values are Apple's.
    public enum RouteChange: UInt32, Hashable, Sendable {
        case newDeviceAvailable = 1
        case oldDeviceUnavailable = 2
    }
}

/// What the phone wants of the car's main audio.
public enum OwnershipWish: Hashable, Sendable {
    /// - Parameter isUserInitiated: the driver chose to play. False: only if nobody minds.
    case take(isUserInitiated: Bool)
    /// For a while: a call, or the assistant.
    case borrow(call: Bool)
    /// What was borrowed.
    case giveBack
    /// Nobody waits any more for what the driver chose to play: if the car has not been asked yet, it is not asked.
    case withdraw
}

/// States that phone and car are never in both.
public struct AudioStates: Hashable, Sendable {
    public enum Speech: Hashable, Sendable { case none, speaking, recognizing }
    public var speech = Speech.none
    public var call = false
    public init(speech: Speech = .none, call: Bool = false) {
        self.speech = speech
        self.call = call
    }
}

/// Whether the phone may use the car's main audio.
public enum MainAudio: Hashable, Sendable {
    /// The phone's; also without a car, and with one that says nothing about ownership.
    case held
    /// Lent by the car for a call or the assistant.
    case borrowed
    /// Nobody's: the phone has to take it.
    case free
    /// The car's.
    /// - Parameter lent: it will come back.
    case lost(lent: Bool)
}

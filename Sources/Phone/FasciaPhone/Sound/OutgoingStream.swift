import FasciaAppSound
import FasciaSound
import FasciaWire

/// A stream of an app.
final class OutgoingStream {
    /// Without packets for so many nanoseconds it does not sound: the car is told, and what it ducks comes back.
    static let idleAfter: UInt64 = 500_000_000

    /// The app's number of it.
    let number: UInt32
    let format: FasciaSound.AudioFormat
    let role: AppSoundRole
    /// dB.
    var gain: Float
    var surplus = FloodGuard.Surplus()
    /// When the last packet came; nil while it does not sound.
    var lastPacket: UInt64?
    /// The app's number of the last packet.
    var lastSequence: UInt32?
    /// Why the car does not play it, until something changes.
    var refusal: StreamRefusal?
    /// Its counterpart on the link.
    var link: LinkStream?

    init(number: UInt32, format: FasciaSound.AudioFormat, role: AppSoundRole, gain: Float) {
        self.number = number
        self.format = format
        self.role = role
        self.gain = Self.gain(gain)
    }

    /// What is allowed: -100 to 0 dB.
    static func gain(_ value: Float) -> Float { value.isNaN ? 0 : min(max(value, -100), 0) }
}

/// A stream on one connection.
final class LinkStream {
    let id: UInt32
    let route: AudioRoute
    let format: FasciaSound.AudioFormat
    let opus: OpusPackets?
    var duck: FasciaSound.Duck?
    /// Of the next packet.
    var sequence: UInt32 = 0
    var ring = PacketRing()
    var isConfirmed = false
    /// Microseconds, as told to the app; 0: not known.
    var latency: UInt32 = 0

    init(id: UInt32, route: AudioRoute, format: FasciaSound.AudioFormat, opus: OpusPackets?, duck: FasciaSound.Duck?) {
        self.id = id
        self.route = route
        self.format = format
        self.opus = opus
        self.duck = duck
    }

    /// Packets of the app's are missing: the gap in the sequence tells the car for how long (S-12).
    /// - Parameter duration: of each, nanoseconds.
    func lose(_ count: UInt32, of duration: UInt64) {
        guard count > 0 else { return }
        guard let opus else { return sequence &+= count }
        let time = opus.skip() + UInt64(count) * duration
        sequence &+= UInt32(truncatingIfNeeded: (time + opus.duration / 2) / opus.duration)
    }

    /// Bytes of 50 ms on the link, headers left out.
    var room: Int { format.codec == .opus ? 1_000 : format.sampleRate / 20 * format.frameBytes }
}

extension FasciaSound.Duck {
    var message: FasciaWire.Duck {
        .with {
            $0.levelDb = level
            $0.rampMs = UInt32(clamping: ramp / 1_000_000)
        }
    }
}

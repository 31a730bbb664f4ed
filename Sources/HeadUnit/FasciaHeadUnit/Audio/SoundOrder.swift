import FasciaSound
import FasciaWire

/// What the mixer is told, by whichever thread, and does at the beginning of its next block.
enum SoundOrder: Equatable, Sendable {
    case start(StreamKey, SoundFormat, gain: Float, duck: FasciaSound.Duck?, label: String)
    /// - Parameter body: the message's, header included.
    case packet(StreamKey, AudioPacketHeader, [UInt8], arrival: UInt64)
    case update(StreamKey, gain: Float, duck: FasciaSound.Duck?)
    case stop(StreamKey, drain: Bool)
    case linkLost
    /// Streams of main audio are heard, or silent and without effect on others.
    case mainAudio(Bool)
    case volume(AudioRoute, Float)
    case mute(AudioRoute, Bool)
    case begin(CarSource)
    case end(CarSource)
    /// The car's clock less the phone's, nanoseconds.
    case clock(Int64?)
}

/// A sound of the car's own.
enum CarSource: String, Sendable {
    case radio
    /// A call that comes in.
    case ring
    /// One that was taken.
    case call
}

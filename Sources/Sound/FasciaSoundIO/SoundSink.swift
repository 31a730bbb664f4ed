import FasciaSound

/// Where the mixed sound goes: a device, a file, nowhere.
public protocol SoundSink: Sendable {
    /// Frames a second it wants; always two channels.
    var sampleRate: Int { get }
}

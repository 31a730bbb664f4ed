import FasciaSound

/// Decides which of the phone's apps may sound, and what they do to each other, as `AVAudioSession` does on iOS. Knows no socket and
/// no clock.
public struct AudioSessionPolicy: Sendable {
    public init() {}
}

import FasciaAudioSession

/// What the sound's thread tells the main actor.
package enum SoundReport: Sendable {
    /// - Parameter for: who waits for the answer; nil: nobody.
    case ownership(OwnershipWish, for: AudioApp?)
    case states(AudioStates)
    /// An app broke the rules of its sound link, which is closed; the app lives on.
    case cutOff(AudioApp, String)
}

import FasciaSound

/// What each stream asked for, and what it gets: while the car has the main audio, streams that need it are silent and duck nobody, whatever
/// the phone still sends (spec O-3). They are not ended, so that a phone which goes on sending is heard when it has the main audio again.
struct MainAudioGate {
    private struct Wish {
        var gain: Float
        var duck: Duck?
    }

    private var wishes: [StreamKey: Wish] = [:]
    private var hasMainAudio = true
    /// Streams that are silent now.
    private(set) var held: Set<StreamKey> = []

    mutating func began(_ key: StreamKey, gain: Float, duck: Duck?, _ mixer: Mixer) {
        wishes[key] = Wish(gain: gain, duck: duck)
        apply(key, mixer)
    }

    mutating func changed(_ key: StreamKey, gain: Float, duck: Duck?, _ mixer: Mixer) {
        guard wishes[key] != nil else { return }
        wishes[key]?.gain = gain
        wishes[key]?.duck = duck
        apply(key, mixer)
    }

    mutating func ended(_ key: StreamKey) {
        wishes[key] = nil
        held.remove(key)
    }

    mutating func setMainAudio(_ has: Bool, _ mixer: Mixer) {
        guard has != hasMainAudio else { return }
        hasMainAudio = has
        for key in Array(wishes.keys) where key.route.needsMainAudio { apply(key, mixer) }
    }

    private mutating func apply(_ key: StreamKey, _ mixer: Mixer) {
        guard let wish = wishes[key] else { return }
        if key.route.needsMainAudio, !hasMainAudio {
            held.insert(key)
            mixer.update(key, gain: -100, duck: nil)
        } else {
            held.remove(key)
            mixer.update(key, gain: wish.gain, duck: wish.duck)
        }
    }
}

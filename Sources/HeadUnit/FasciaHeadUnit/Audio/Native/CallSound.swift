import FasciaSound
import Glibc

/// A call of the car's own telephone: it rings, or somebody speaks: a voice's pitch and syllables, no words.
final class CallSound: LocalSound {
    private let isRinging: Bool
    private var frame = 0
    private var pitchPhase = 0.0
    private var filter = (low: Float(0), band: Float(0))

    init(isRinging: Bool) { self.isRinging = isRinging }

    func render(_ samples: UnsafeMutablePointer<Float>, frames: Int) -> Bool {
        for index in 0..<frames {
            let time = Double(frame) / Double(Mixer.sampleRate)
            let sound = isRinging ? ring(time) : voice(time)
            samples[2 * index] = sound
            samples[2 * index + 1] = sound
            frame &+= 1
        }
        return true
    }

    /// One second of two tones in every two, without clicks.
    private func ring(_ time: Double) -> Float {
        let within = fmod(time, 2)
        guard within < 1 else { return 0 }
        let edge = min(1, min(within, 1 - within) / 0.01)
        return Float((sin(2 * .pi * 440 * time) + sin(2 * .pi * 480 * time)) * 0.1 * edge)
    }

    /// A buzz through one moving resonance, nearly four syllables a second, with pauses between sentences.
    private func voice(_ time: Double) -> Float {
        let pitch = 118 + 14 * sin(2 * .pi * 0.31 * time) + 6 * sin(2 * .pi * 1.7 * time)
        pitchPhase += pitch / Double(Mixer.sampleRate)
        if pitchPhase >= 1 { pitchPhase -= 1 }
        let buzz = Float(2 * pitchPhase - 1)
        let syllable = max(0, sin(2 * .pi * 3.7 * time)), speaks = fmod(time, 3.2) < 2.4 ? 1.0 : 0
        // A state variable filter, stable far below a sixth of the rate.
        let centre = Float(500 + 250 * sin(2 * .pi * 0.9 * time))
        let f = 2 * sinf(.pi * centre / Float(Mixer.sampleRate))
        filter.low += f * filter.band
        filter.band += f * (buzz - filter.low - 0.25 * filter.band)
        return filter.band * Float(syllable * speaks) * 0.12
    }
}

import FasciaSound
import Glibc

/// The car's own radio: slow plucked chords, without end. Quiet, and with a note at least every quarter of a second, so that a recording
/// shows when it plays.
final class RadioProgramme: LocalSound {
    /// Of the mix, before volume.
    private static let level: Float = 0.16
    /// A minor, F, C, G: semitones from A3.
    private static let chords: [[Double]] = [[-12, 0, 3, 7, 12], [-16, -4, 0, 3, 8], [-9, -5, 3, 7, 10], [-14, -2, 2, 5, 10]]
    private static let pattern = [0, 2, 3, 4, 3, 2, 1, 3]
    private static let noteFrames = Mixer.sampleRate / 4
    /// Of the level a frame: a note falls to a tenth in a second.
    private static let decay: Float = 0.999_952

    /// A string that was plucked and dies away: a phasor turned by a fixed angle a frame.
    private struct Voice {
        var sine: Float = 0, cosine: Float = 1
        var turnSine: Float = 0, turnCosine: Float = 1
        var level: Float = 0
        var right: Float = 0.5
    }

    private var voices = [Voice](repeating: Voice(), count: 6)
    private var notes = 0
    private var untilNote = 0

    func render(_ samples: UnsafeMutablePointer<Float>, frames: Int) -> Bool {
        samples.update(repeating: 0, count: frames * 2)
        var done = 0
        while done < frames {
            if untilNote == 0 { pluck() }
            let count = min(untilNote, frames - done)
            for index in voices.indices where voices[index].level > 0.000_1 { Self.add(&voices[index], samples + done * 2, frames: count) }
            untilNote -= count
            done += count
        }
        return true
    }

    private static func add(_ voice: inout Voice, _ samples: UnsafeMutablePointer<Float>, frames: Int) {
        var (sine, cosine, level) = (voice.sine, voice.cosine, voice.level)
        for frame in 0..<frames {
            // sin x + 0.4 sin 2x, as sin 2x = 2 sin x cos x
            let sound = sine * (1 + 0.8 * cosine) * level * Self.level
            samples[frame * 2] += sound * (1 - voice.right)
            samples[frame * 2 + 1] += sound * voice.right
            (sine, cosine) = (sine * voice.turnCosine + cosine * voice.turnSine, cosine * voice.turnCosine - sine * voice.turnSine)
            level *= decay
        }
        (voice.sine, voice.cosine, voice.level) = (sine, cosine, level)
    }

    private func pluck() {
        let chord = Self.chords[notes / Self.pattern.count % Self.chords.count]
        let semitones = chord[Self.pattern[notes % Self.pattern.count] % chord.count]
        let angle = 2 * Double.pi * 220 * exp2(semitones / 12) / Double(Mixer.sampleRate)
        let index = notes % voices.count
        voices[index] = Voice(turnSine: Float(sin(angle)), turnCosine: Float(cos(angle)), level: 1, right: 0.3 + 0.4 * Float(index) / Float(voices.count))
        notes = (notes + 1) % (Self.pattern.count * Self.chords.count * voices.count)
        untilNote = Self.noteFrames
    }
}

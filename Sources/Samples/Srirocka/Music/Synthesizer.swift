import Foundation

/// Turns a score into samples, a piece at a time, from any point of it and at any tempo.
final class Synthesizer {
    private struct Voice {
        var phase: Double
        let step: Double
        /// Of the second and third harmonic.
        let second: Float
        let third: Float
        let left: Float
        let right: Float
        var level: Float
        let attack: Float
        let decay: Float
        var rising = true
        let peak: Float
    }

    /// One turn of a sine, in 2048 steps and one more.
    private static let sine: [Float] = (0...2_048).map { Float(sin(2 * .pi * Double($0) / 2_048)) }

    let score: Score
    private let sampleRate: Double
    private var voices: [Voice] = []
    /// Half beats that were begun.
    private var nextTick: Int
    private(set) var beat: Double
    private var noise: UInt32 = 0x1234_5678
    private var hat: Float = 0
    private var kick: (phase: Double, level: Float) = (0, 0)

    /// - Parameter time: seconds of the piece at its own tempo.
    init(score: Score, at time: TimeInterval, sampleRate: Double) {
        self.score = score
        self.sampleRate = sampleRate
        beat = max(0, time) / score.secondsPerBeat
        nextTick = Int((beat * 2).rounded(.up))
    }

    /// Seconds of the piece at its own tempo.
    var time: TimeInterval { beat * score.secondsPerBeat }
    var isAtEnd: Bool { time >= score.duration }

    func render(_ frames: Int, left: UnsafeMutablePointer<Float>, right: UnsafeMutablePointer<Float>, rate: Double) {
        let beatsPerFrame = rate / (score.secondsPerBeat * sampleRate)
        for frame in 0..<frames {
            if beat * 2 >= Double(nextTick) {
                begin(nextTick)
                nextTick += 1
            }
            beat += beatsPerFrame
            let drums = drumSample()
            var (l, r) = (drums, drums)
            for index in voices.indices {
                let value = sample(index)
                l += value * voices[index].left
                r += value * voices[index].right
            }
            // Many voices at once bend instead of break.
            left[frame] = tanh(1.7 * l)
            right[frame] = tanh(1.7 * r)
            if frame % 256 == 0 { voices.removeAll { !$0.rising && $0.level < 0.0004 } }
        }
    }

    private func sample(_ index: Int) -> Float {
        voices[index].phase += voices[index].step
        if voices[index].phase >= 2_048 { voices[index].phase -= 2_048 }
        let voice = voices[index], place = Int(voice.phase)
        if voice.rising {
            voices[index].level += voice.attack
            if voices[index].level >= voice.peak { voices[index].rising = false }
        } else { voices[index].level *= voice.decay }
        let sine = Self.sine
        return voice.level * (sine[place] + voice.second * sine[(2 * place) & 2_047] + voice.third * sine[(3 * place) & 2_047])
    }

    private func drumSample() -> Float {
        guard score.feel == .pulse || score.feel == .stroll else { return 0 }
        noise = noise &* 1_664_525 &+ 1_013_904_223
        hat *= 0.9988
        kick.level *= 0.99975
        kick.phase += 2_048 * (42 + 60 * Double(kick.level)) / sampleRate
        if kick.phase >= 2_048 { kick.phase -= 2_048 }
        return hat * (Float(noise >> 8) / 8_388_608 - 1) * 0.12 + kick.level * 0.5 * Self.sine[Int(kick.phase)]
    }

    // MARK: Notes

    private func begin(_ tick: Int) {
        let ticksPerBar = score.beatsPerBar * 2, bar = tick / ticksPerBar, place = tick % ticksPerBar
        guard bar < score.bars else { return }
        let chord = score.chord(at: bar)
        // The piece opens with chords alone, and comes to rest on them.
        let hasTune = bar >= 2 && bar < score.bars - 2
        if hasTune, let degree = score.tune[(tick - 2 * ticksPerBar) % score.tune.count] { play(score.note(degree), tuneTimbre, peak: 0.17, pan: 0.15) }
        switch score.feel {
        case .lullaby:
            if place == 0 { chord.forEach { play($0, .pad, peak: 0.075, pan: -0.3 + 0.3 * Double($0 % 3)) } }
            if place % 2 == 1 { play(chord[(place / 2) % 3], .pluck, peak: 0.06, pan: -0.4) }
            if place == 0 { play(chord[0] - 12, .bass, peak: 0.14, pan: 0) }
        case .waltz:
            if place == 0 { play(chord[0] - 12, .bass, peak: 0.2, pan: 0) }
            if place == 2 || place == 4 { chord.forEach { play($0, .pluck, peak: 0.07, pan: -0.3) } }
        case .pulse:
            if place % 2 == 0 { play(chord[0] - 12, .bass, peak: place == 0 ? 0.2 : 0.13, pan: 0) }
            if place == 0 { chord.forEach { play($0, .pad, peak: 0.06, pan: 0.35) } }
            if place % 2 == 0, hasTune { kick = (0, 1) }
            if place % 2 == 1, hasTune { hat = 1 }
        case .stroll:
            if place % 4 == 0 { play(chord[place == 0 ? 0 : 2] - 12, .bass, peak: 0.17, pan: 0) }
            if place % 4 == 2 { chord.forEach { play($0, .pluck, peak: 0.07, pan: -0.25) } }
            if place == 0, hasTune { kick = (0, 0.7) }
            if place == 4, hasTune { hat = 0.8 }
        }
    }

    private enum Timbre { case pad, pluck, bass, glass, reed }

    private var tuneTimbre: Timbre {
        switch score.feel {
        case .lullaby: return .glass
        case .waltz: return .reed
        case .pulse: return .pluck
        case .stroll: return score.key % 2 == 0 ? .reed : .glass
        }
    }

    private func play(_ note: Int, _ timbre: Timbre, peak: Float, pan: Double) {
        let frequency = 440 * pow(2, Double(note - 69) / 12)
        // Attack and time to a third, in seconds; second and third harmonic.
        let shape: (attack: Double, decay: Double, second: Float, third: Float)
        switch timbre {
        case .pad: shape = (0.35, 1.8, 0.25, 0.1)
        case .pluck: shape = (0.004, 0.28, 0.45, 0.2)
        case .bass: shape = (0.01, 0.6, 0.35, 0.05)
        case .glass: shape = (0.006, 0.9, 0.08, 0.3)
        case .reed: shape = (0.03, 0.5, 0.5, 0.35)
        }
        voices.append(Voice(
            phase: 0, step: 2_048 * frequency / sampleRate, second: shape.second, third: shape.third, left: Float(min(1, 1 - pan)), right: Float(min(1, 1 + pan)), level: 0,
            attack: peak / Float(shape.attack * sampleRate), decay: Float(exp(-1 / (shape.decay * sampleRate))), peak: peak))
    }
}

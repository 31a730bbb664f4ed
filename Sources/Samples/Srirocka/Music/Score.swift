import Foundation

/// A piece of music: chords, a tune over them, and how they sound.
struct Score: Equatable {
    enum Feel { case lullaby, waltz, pulse, stroll }

    let feel: Feel
    /// Beats a minute.
    let tempo: Double
    let beatsPerBar: Int
    /// MIDI number of the keynote.
    let key: Int
    /// Steps of the scale in semitones.
    let scale: [Int]
    /// Degrees of the chords, one a bar.
    let chords: [Int]
    /// Degrees of the tune by half beat; nil is a rest.
    let tune: [Int?]
    let bars: Int

    var secondsPerBeat: Double { 60 / tempo }
    var beats: Double { Double(bars * beatsPerBar) }
    var duration: TimeInterval { beats * secondsPerBeat + 2 }

    /// MIDI number of a degree of the scale, 0 being the keynote.
    func note(_ degree: Int) -> Int {
        let octave = Int((Double(degree) / Double(scale.count)).rounded(.down))
        return key + 12 * octave + scale[degree - octave * scale.count]
    }

    func chord(at bar: Int) -> [Int] {
        let root = chords[bar % chords.count]
        return [root, root + 2, root + 4].map { note($0) }
    }
}

extension Score {
    private static let major = [0, 2, 4, 5, 7, 9, 11]
    private static let minor = [0, 2, 3, 5, 7, 8, 10]
    private static let dorian = [0, 2, 3, 5, 7, 9, 10]

    static let slowLanterns = Score(
        feel: .lullaby, tempo: 66, beatsPerBar: 4, key: 57, scale: major, chords: [0, 5, 3, 4, 0, 2, 3, 4],
        tune: [7, nil, 9, nil, 11, nil, nil, nil, 9, nil, 7, nil, 4, nil, nil, nil, 5, nil, 7, nil, 9, nil, 11, nil, 8, nil, nil, nil, 7, nil, nil, nil], bars: 32)
    static let paperBoats = Score(
        feel: .stroll, tempo: 92, beatsPerBar: 4, key: 62, scale: major, chords: [0, 4, 5, 3],
        tune: [4, nil, 4, 5, 7, nil, 5, nil, 6, nil, 4, nil, 1, nil, nil, nil, 2, nil, 4, nil, 5, 7, nil, 9, 7, nil, 5, nil, 3, nil, nil, nil], bars: 40)
    static let tinRoofWaltz = Score(
        feel: .waltz, tempo: 132, beatsPerBar: 3, key: 55, scale: major, chords: [0, 0, 3, 0, 4, 4, 0, 0, 5, 1, 4, 4],
        tune: [7, nil, nil, 9, 8, nil, 7, nil, 4, nil, nil, nil, 5, nil, 7, nil, 9, nil, 7, nil, nil, nil, nil, nil, 8, nil, 6, nil, 4, nil, 9, nil, 8, 7, 6, nil], bars: 60)
    static let lastTramHome = Score(
        feel: .stroll, tempo: 78, beatsPerBar: 4, key: 52, scale: dorian, chords: [0, 3, 0, 6],
        tune: [7, nil, nil, 6, 4, nil, nil, nil, 5, nil, 3, nil, nil, nil, 2, nil, 4, nil, nil, 7, 9, nil, 8, nil, 6, nil, nil, nil, nil, nil, nil, nil], bars: 32)
    static let neonOrchard = Score(
        feel: .pulse, tempo: 116, beatsPerBar: 4, key: 50, scale: minor, chords: [0, 5, 2, 6],
        tune: [7, 9, 11, 7, 9, 11, 14, 11, 12, 9, 7, 9, 12, 14, 12, 9, 9, 11, 13, 9, 11, 13, 16, 13, 13, 10, 8, 10, 13, 15, 13, 10], bars: 52)
    static let ferryAtSix = Score(
        feel: .lullaby, tempo: 74, beatsPerBar: 3, key: 60, scale: major, chords: [0, 2, 5, 3, 0, 4],
        tune: [9, nil, 7, nil, 4, nil, 6, nil, nil, nil, 4, nil, 5, nil, 7, nil, 9, nil, 10, nil, nil, nil, nil, nil, 9, nil, 11, nil, 7, nil, 8, nil, nil, nil, nil, nil], bars: 42)
    static let coldCoffee = Score(
        feel: .pulse, tempo: 104, beatsPerBar: 4, key: 53, scale: dorian, chords: [0, 0, 3, 4],
        tune: [nil, 7, nil, 9, nil, 7, 4, nil, nil, 7, nil, 9, 11, nil, 9, nil, nil, 10, nil, 9, nil, 7, 5, nil, nil, 11, nil, 8, nil, 6, nil, nil], bars: 44)
}

import FasciaLink
import FasciaSound

/// Prompts that duck, one after another and over each other, in virtual time: music of the phone's and the car's radio play, prompts of random
/// length, level and ramp begin and end as prompts do, and what is heard is measured.
public struct SimulatedPrompts: Sendable {
    public var prompts = 1000
    public var seed: UInt64 = 1

    public init() {}

    /// How a prompt's stream ends.
    public enum Ending: CaseIterable, Sendable {
        /// The app has said all: its last packets are played.
        case drained
        /// Cut off by its app: the phone stops the stream.
        case stopped
        /// Its app is killed in the middle of a packet: none comes any more, and some time later the phone stops the stream.
        case killed
        /// The connection is gone, with all streams, and the head unit knows at once.
        case linkLost
        /// Nothing comes any more, of any stream, and the head unit finds out much later.
        case cut
    }

    public struct Report: Sendable {
        public internal(set) var prompts = 0
        public internal(set) var endings: [Ending: Int] = [:]
        /// How much later or earlier than the ramp says the level was reached, nanoseconds; the largest.
        public internal(set) var largestDuckError: Int64 = 0
        public internal(set) var largestRestoreError: Int64 = 0
        /// From the last packet to the begin of the way back, when nobody says that it was the last; nanoseconds, the largest.
        public internal(set) var largestWait: Int64 = 0
        /// Deviation from the level stated, and from what was before, dB; the largest.
        public internal(set) var largestLevelError: Float = 0
        public internal(set) var clicks = 0
    }

    public func run() throws(SoundError) -> Report {
        var report = Report()
        var chance = SeededGenerator(seed: seed)
        let car = try SimulatedCar()
        car.play(milliseconds: 300)
        for number in 0..<prompts {
            let duck = Duck(level: Float.random(in: -40 ... -3, using: &chance), ramp: .random(in: 20...600, using: &chance) * 1_000_000)
            // Hidden below: what is ducked is measured alone, prompts are heard beside it.
            let key = StreamKey([.navigation, .assistant, .alert].randomElement(using: &chance) ?? .navigation, UInt32(number))
            try car.startPrompt(key, duck: duck)
            let length = duck.ramp + .random(in: 60...400, using: &chance) * 1_000_000
            let down = car.play(milliseconds: Int(length / 1_000_000), prompt: key)
            report.largestDuckError = max(report.largestDuckError, abs(down.reached(duck.level, depth: duck.level) - duck.ramp))
            report.largestLevelError = max(report.largestLevelError, abs((down.levels.last ?? 0) - duck.level))

            let ending = Ending.allCases.randomElement(using: &chance) ?? .drained
            var waited: Int64 = 0
            var wasCut = false
            switch ending {
            case .drained:
                car.mixer.stop(key, drain: true)
                waited = car.playUntilEnded(key)
            case .stopped: car.mixer.stop(key, drain: false)
            case .killed:
                car.play(milliseconds: 5 * .random(in: 0...3, using: &chance))
                car.mixer.stop(key, drain: false)
            case .linkLost: car.mixer.linkLost()
            case .cut: wasCut = true
            }
            let up = car.play(milliseconds: Int(duck.ramp / 1_000_000) + 150, isCut: wasCut)
            let began = wasCut ? up.left(duck.level, depth: duck.level) : 0
            report.largestWait = max(report.largestWait, began)
            report.largestRestoreError = max(report.largestRestoreError, abs(up.reached(0, depth: duck.level) - began - duck.ramp), waited - 150_000_000)
            if wasCut {
                car.play(milliseconds: 5 * .random(in: 100...200, using: &chance), isCut: true)
                car.mixer.linkLost()
                car.play(milliseconds: 20)
            }
            report.largestLevelError = max(report.largestLevelError, abs(up.levels.last ?? 0))
            if ending == .linkLost || wasCut { try car.startMusic() }
            report.endings[ending, default: 0] += 1
            report.prompts += 1
        }
        report.clicks = car.clicks
        return report
    }
}

/// Levels of what is ducked, 5 ms each, dB against what it is without.
struct Levels {
    var levels: [Float] = []

    /// Until the level is no more there, with as much room; nanoseconds.
    func left(_ level: Float, depth: Float) -> Int64 {
        Int64(levels.firstIndex { abs($0 - level) > abs(depth) / 100 + 0.01 } ?? levels.count) * 5_000_000
    }

    /// Until the level is there, but for a hundredth of the way from `depth` dB off; nanoseconds.
    func reached(_ level: Float, depth: Float) -> Int64 {
        let last = levels.lastIndex { abs($0 - level) > abs(depth) / 100 + 0.01 }
        return Int64((last ?? -1) + 1) * 5_000_000
    }
}

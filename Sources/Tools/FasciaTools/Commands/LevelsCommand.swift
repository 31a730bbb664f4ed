import ArgumentParser
import FasciaProcesses
import FasciaSound
import FasciaSoundFile
import Foundation

public struct LevelsCommand: ParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "levels",
        abstract: "How loud a recording is, tenth of a second by tenth.",
        discussion: """
            For the files of fascia-headunit --audio-out: a duck is a step down and, later, up again. RMS in dB of full scale; -120 is
            silence. Reads what libsndfile reads: WAV, FLAC, Ogg, MP3.

            EXAMPLES
              fascia levels out/media.wav
              fascia levels mix.wav --window 20 --json
              fascia levels media.wav --frequency 440     only this tone
            """)

    @Argument(help: ArgumentHelp("A sound file.", valueName: "file")) var path: String
    @Option(help: "Milliseconds of one value.") var window = 100
    @Option(help: ArgumentHelp("The level of this frequency alone, Hz.", valueName: "hz")) var frequency: Double?
    @Flag(help: "Write JSON.") var json = false

    /// Longest window, milliseconds: what is held in memory at once.
    private static let longestWindow = 60_000

    public init() {}

    public func validate() throws {
        guard (1...Self.longestWindow).contains(window) else { throw ValidationError("--window is 1 to \(Self.longestWindow) ms") }
        if let frequency { guard frequency > 0, frequency < 24_000 else { throw ValidationError("--frequency is between 0 and 24000 Hz") } }
    }

    public func run() throws {
        let levels = try Levels(of: path, window: window, frequency: frequency)
        if json { return try Output.json(levels) }
        for (index, level) in levels.levelsDB.enumerated() {
            let bar = String(repeating: "#", count: max(0, Int((level + 60).rounded())))
            Output.line(String(format: "%7.2f s  %6.1f dB  ", Double(index * window) / 1000, level) + bar)
        }
    }
}

/// The course of a recording's level.
struct Levels: Encodable {
    var windowMS: Int
    var sampleRate: Int
    var channels: Int
    /// dB of full scale, one a window; a window at the end that is not whole is left out.
    var levelsDB: [Float] = []

    enum CodingKeys: String, CodingKey { case windowMS = "window_ms", sampleRate = "sample_rate", channels, levelsDB = "levels_db" }

    /// - Parameters:
    ///   - window: milliseconds.
    ///   - frequency: Hz; the level of this tone in the sum of the channels instead of that of everything.
    init(of path: String, window: Int, frequency: Double?) throws {
        let file: SoundFileReader
        do { file = try SoundFileReader(path: path) } catch { throw ToolError("\(path) cannot be read as sound: \(error)") }
        (windowMS, sampleRate, channels) = (window, file.sampleRate, file.channels)
        let frames = max(1, file.sampleRate * window / 1000)
        var samples = [Float](repeating: 0, count: frames * file.channels)
        while samples.withUnsafeMutableBufferPointer({ Self.fill($0, from: file) }) {
            guard let frequency else {
                levelsDB.append(LevelMeter.level(samples))
                continue
            }
            let mono = (0..<frames).map { frame in
                samples[frame * file.channels..<(frame + 1) * file.channels].reduce(0, +) / Float(file.channels)
            }
            // Of a sine of this amplitude, as RMS.
            levelsDB.append(LevelMeter.level([Goertzel.amplitude(mono, frequency: frequency, sampleRate: file.sampleRate) / Float(2).squareRoot()]))
        }
    }

    /// - Returns: false when the file has no whole window more.
    private static func fill(_ samples: UnsafeMutableBufferPointer<Float>, from file: SoundFileReader) -> Bool {
        guard let first = samples.baseAddress else { return false }
        let wanted = samples.count / file.channels
        var have = 0
        while have < wanted {
            let read = file.read(into: first + have * file.channels, frames: wanted - have)
            if read == 0 { return false }
            have += read
        }
        return true
    }
}

import FasciaProcesses
import FasciaSound
import FasciaSoundFile
import Foundation

/// What a file holds, one channel.
struct Recorded {
    var samples: [Float] = []
    let sampleRate: Int

    /// The first channel.
    init(_ path: String) throws {
        let reader = try SoundFileReader(path: path)
        sampleRate = reader.sampleRate
        var block = [Float](repeating: 0, count: 4_096 * reader.channels)
        while true {
            let frames = block.withUnsafeMutableBufferPointer { $0.baseAddress.map { reader.read(into: $0, frames: 4_096) } ?? 0 }
            guard frames > 0 else { return }
            samples += (0..<frames).map { block[$0 * reader.channels] }
        }
    }

    /// No more than so many seconds.
    func first(_ seconds: Double) -> Recorded {
        var part = self
        part.samples = Array(samples.prefix(Int(seconds * Double(sampleRate))))
        return part
    }

    var seconds: Double { Double(samples.count) / Double(sampleRate) }

    /// Amplitude of a frequency, for each 50 ms.
    func tone(_ hertz: Double) -> [Float] { windows.map { Goertzel.amplitude($0, frequency: hertz, sampleRate: sampleRate) } }

    /// Root mean square of each 50 ms.
    var levels: [Float] { windows.map { ($0.reduce(0) { $0 + $1 * $1 } / Float($0.count)).squareRoot() } }

    private var windows: [ArraySlice<Float>] {
        let size = sampleRate / 20
        return (0..<samples.count / size).map { samples[$0 * size..<($0 + 1) * size] }
    }

    /// Where a steady tone of this frequency jumps: it was cut, or something is missing. 10 ms at a time, in seconds from the beginning.
    func jumps(of hertz: Double, from start: Double) -> [Double] {
        let size = sampleRate / 100, turn = 2 * Double.pi * hertz / Double(sampleRate)
        var last: Double?, found: [Double] = []
        for first in stride(from: Int(start * Double(sampleRate)), to: samples.count - size, by: size) {
            var (real, imaginary) = (0.0, 0.0)
            for index in first..<first + size {
                real += Double(samples[index]) * cos(turn * Double(index))
                imaginary += Double(samples[index]) * sin(turn * Double(index))
            }
            let phase = atan2(imaginary, real)
            if let last, abs(remainder(phase - last, 2 * .pi)) > 0.5 { found.append(Double(first) / Double(sampleRate)) }
            last = phase
        }
        return found
    }
}

/// dB of each so many milliseconds of a file, all channels together.
func levels(of path: String, milliseconds: Int) throws -> [Float] {
    let reader = try SoundFileReader(path: path)
    var meter = LevelMeter(sampleRate: reader.sampleRate, channels: reader.channels, milliseconds: milliseconds)
    var block = [Float](repeating: 0, count: 4_096 * reader.channels)
    while true {
        let frames = block.withUnsafeMutableBufferPointer { buffer in buffer.baseAddress.map { reader.read(into: $0, frames: 4_096) } ?? 0 }
        guard frames > 0 else { return meter.levels }
        meter.add(Array(block[..<(frames * reader.channels)]))
    }
}

/// What a recording is, window after window; "?" is neither the one nor the other.
extension Sequence<String> {
    /// Each state once for as long as it lasts, and how long that is.
    var runs: [(state: String, count: Int)] {
        reduce(into: []) { runs, state in
            if runs.last?.state == state { runs[runs.count - 1].count += 1 } else { runs.append((state, 1)) }
        }
    }

    /// The states that last: what most windows say of the 1.25 seconds about each one; in every test a state is there for two seconds or nearly.
    ///
    /// What is short is a fade, or a hole where the machine stood still: the car's file makes up half a second at once then
    /// (`PacedThread.largestCatchUp`), apps half of that. For a while after that the sound is stretched, and some windows are "?".
    /// - Parameter unknown: "?" is a state as well, where hardly anything else is for so long.
    func lasting(unknown: Bool = false) -> [String] {
        let states = Array(self)
        let most = states.indices.map { index in
            let about = states[Swift.max(0, index - 12)...Swift.min(states.count - 1, index + 12)]
            let known = Dictionary(grouping: about.filter { $0 != "?" }) { $0 }.mapValues(\.count).max { ($0.value, $0.key) < ($1.value, $1.key) }
            return known.flatMap { $0.value > about.count / 4 ? $0.key : nil } ?? "?"
        }
        return most.runs.filter { $0.count >= 8 && (unknown || $0.state != "?") }.map(\.state).runs.map(\.state)
    }
}

extension TestBench {
    /// A phone with HumApp under these names. What they hear is kept beside everything else of the test.
    func startPhone(humming apps: [String]) async throws {
        let programs = try apps.map { try makeApp(named: $0, of: "HumApp") }
        try await startPhone(["--connect", address] + programs.flatMap { ["--app", $0] }, environment: ["HUM_RECORDINGS": directory.path])
    }

    /// A sine, in a file that can be heard over and over without a seam.
    func makeTone(_ name: String, hertz: Int, amplitude: Float, sampleRate: Int = 48_000) throws -> String {
        let file = path(name), writer = try SoundFileWriter(path: file, sampleRate: sampleRate, channels: 1)
        let samples = (0..<sampleRate).map { amplitude * Float(sin(2 * Double.pi * Double(hertz * $0 % sampleRate) / Double(sampleRate))) }
        try samples.withUnsafeBufferPointer { if let base = $0.baseAddress { try writer.write(base, frames: sampleRate) } }
        writer.close()
        return file
    }

    /// Goes to one of several apps of the test's own.
    func open(_ app: String) async throws {
        if !records("app-launched", in: "phone.jsonl").isEmpty { try await console("key home") }
        try await console(each: "wait \(app) 40", "tap \(app)", "wait \"Toggle \(app)\" 40")
    }

    /// Asks until something on the screen is gone.
    func waitUntilGone(_ text: String) async throws {
        for _ in 0..<600 where try await console("tree").contains(text) { try await console("sleep 0.05") }
        if try await console("tree").contains(text) { throw ToolError("\(text) stayed on the screen") }
    }

    /// Owner and borrower of main audio become this at both ends.
    func waitForMainAudio(_ wanted: String) async throws {
        func phones() -> String? {
            records("ownership", in: "phone.jsonl").last { $0["resource"] as? String == "main-audio" }.map { "\($0["owner"] ?? "")/\($0["borrower"] ?? "")" }
        }
        var cars = ""
        for _ in 0..<600 {
            let stats = try JSONSerialization.jsonObject(with: Data(try await console("stats").utf8)) as? [String: Any]
            let holding = (stats?["ownership"] as? [String: Any])?["main_audio"] as? [String: Any]
            cars = "\(holding?["owner"] ?? "")/\(holding?["borrower"] ?? "")"
            if cars == wanted, phones() == wanted { return }
            try await console("sleep 0.05")
        }
        throw ToolError("main audio is not \(wanted): the car says \(cars), the phone \(phones() ?? "nothing")")
    }

    /// Streams of a route come to sound, or there are none.
    func wait(forStreamsOn route: String, _ wanted: Bool = true) async throws {
        var last = ""
        for _ in 0..<600 {
            last = try await console("audio")
            let streams = (try JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: Any])?["streams"] as? [[String: Any]] ?? []
            let there = streams.filter { $0["route"] as? String == route }
            if wanted ? there.contains(where: { ($0["packets"] as? Int ?? 0) > 20 }) : there.isEmpty { return }
            try await console("sleep 0.05")
        }
        throw ToolError("no \(wanted ? "stream" : "end of the streams") on \(route): \(last)")
    }
}

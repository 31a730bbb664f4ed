import FasciaSound
import FasciaSoundFile
import Foundation

/// Writes the mix to a WAV file (48 kHz, stereo, 16 bits), or to `mix.wav` in a directory with a file for each route beside it; at the pace of
/// the clock, silence too. The headers are brought up to date each second, so that the files are whole however the process ends.
public final class WaveSink: SoundSink {
    public let name: String
    public let takesRoutes: Bool
    /// Nanoseconds between two looks at the clock while nothing sounds.
    private static let rest: UInt64 = 1_000_000_000
    private let thread: PacedThread
    private let block: SampleBlock
    private let files: WaveFiles

    /// - Parameter file: made, or made anew.
    public init(file path: String) throws(SoundError) {
        name = "WAV file"
        takesRoutes = false
        files = try WaveFiles(mix: path, routes: [:])
        block = SampleBlock(frames: Mixer.step)
        thread = PacedThread(period: block.period, longestRest: Self.rest)
    }

    /// - Parameter directory: made when it is missing; gets `mix.wav` and `media.wav`, `navigation.wav` …
    public init(directory: String) throws(SoundError) {
        name = "WAV files by route"
        takesRoutes = true
        do {
            try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        } catch {
            throw SoundError(.file, "the directory \(directory) for sound cannot be made: name one that can be written to, or free the name")
        }
        func path(_ name: String) -> String { (directory as NSString).appendingPathComponent(name + ".wav") }
        files = try WaveFiles(mix: path("mix"), routes: Dictionary(uniqueKeysWithValues: AudioRoute.allCases.map { ($0, path($0.name)) }))
        block = SampleBlock(frames: Mixer.step)
        thread = PacedThread(period: block.period, longestRest: Self.rest)
    }

    deinit { stop() }

    public var statistics: SinkStatistics { thread.statistics }

    public func start(_ render: @escaping SoundRender) throws(SoundError) {
        let (block, thread, files) = (block, thread, files)
        @Sendable func written(_ frames: Int) {
            thread.count { statistics in
                statistics.frames += Int64(frames)
                statistics.failure = files.failure
            }
        }
        thread.start("sound-wav", .init(tick: { time in
            let goesOn = render(block.samples, block.frames, time)
            files.write(block.samples, frames: block.frames)
            written(block.frames)
            return goesOn
        }, rested: { periods in
            files.writeSilence(blocks: periods, of: block)
            written(periods * block.frames)
        }, atEnd: { files.close() }))
    }

    public func wake() { thread.wake() }

    public func routeMixed(_ route: AudioRoute, _ samples: UnsafePointer<Float>, frames: Int) {
        files.write(samples, frames: frames, route: route)
    }

    public func stop() { thread.stop() }
}

/// The open files; only ever touched by the sink's thread after they were made.
private final class WaveFiles: @unchecked Sendable {
    private let mix: SoundFileWriter
    private let routes: [AudioRoute: SoundFileWriter]
    private var sinceHeader = 0
    private(set) var failure: String?

    init(mix path: String, routes paths: [AudioRoute: String]) throws(SoundError) {
        mix = try Self.open(path)
        var routes: [AudioRoute: SoundFileWriter] = [:]
        for (route, path) in paths { routes[route] = try Self.open(path) }
        self.routes = routes
        updateHeaders()
    }

    private static func open(_ path: String) throws(SoundError) -> SoundFileWriter {
        do {
            return try SoundFileWriter(path: path, sampleRate: Mixer.sampleRate, channels: 2)
        } catch {
            throw SoundError(.file, "the sound file \(path) cannot be made (\(error)): name a file in a directory that exists and can be written to")
        }
    }

    func write(_ samples: UnsafePointer<Float>, frames: Int, route: AudioRoute? = nil) {
        guard failure == nil, let file = route.map({ routes[$0] }) ?? mix else { return }
        do {
            try file.write(samples, frames: frames)
        } catch {
            failure = "the sound file cannot be written to (\(error)): is the disk full?"
        }
        guard route == nil else { return }
        sinceHeader += frames
        if sinceHeader >= Mixer.sampleRate { updateHeaders() }
    }

    /// - Parameter block: is silent afterwards.
    func writeSilence(blocks: Int, of block: SampleBlock) {
        block.samples.update(repeating: 0, count: block.frames * 2)
        for _ in 0..<blocks {
            for route in routes.keys { write(block.samples, frames: block.frames, route: route) }
            write(block.samples, frames: block.frames)
        }
    }

    private func updateHeaders() {
        sinceHeader = 0
        mix.updateHeader()
        for file in routes.values { file.updateHeader() }
    }

    func close() {
        mix.close()
        for file in routes.values { file.close() }
    }
}

import FasciaSound
import FasciaSoundFile
import FasciaSoundIO
import Foundation
import Synchronization
import Testing

@Suite("Sinks")
struct SinkTests {
    /// What a sink asked for.
    private final class Asked: Sendable {
        let times = Mutex([UInt64]())
        private let wanted = DispatchSemaphore(value: 0)

        /// Renders a tone, and notes when.
        func render(_ tone: Tone) -> SoundRender {
            { [self] samples, frames, time in
                tone.render(samples, frames)
                times.withLock { $0.append(time) }
                wanted.signal()
            }
        }

        /// - Returns: false when it did not ask so often within 20 s.
        func wait(_ count: Int) -> Bool { (0..<count).allSatisfy { _ in wanted.wait(timeout: .now() + 20) == .success } }
    }

    /// Of the sink's thread alone.
    private final class Tone: @unchecked Sendable {
        private var signal = TestSignal(.sine(1000))
        func render(_ samples: UnsafeMutablePointer<Float>, _ frames: Int) { signal.render(samples, frames: frames, channels: 2) }
    }

    private let directory: URL

    init() throws {
        directory = FileManager.default.temporaryDirectory.appendingPathComponent("fascia-sinks-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    private func path(_ name: String) -> String { directory.appendingPathComponent(name).path }

    private func left(_ path: String) throws -> [Float] {
        let reader = try SoundFileReader(path: path)
        #expect(reader.channels == 2 && reader.sampleRate == 48_000)
        let count = Int(reader.frames)
        var samples = [Float](repeating: 0, count: count * 2)
        let read = samples.withUnsafeMutableBufferPointer { buffer in buffer.baseAddress.map { reader.read(into: $0, frames: count) } ?? 0 }
        return (0..<read).map { samples[$0 * 2] }
    }

    @Test("Deadlines are a period apart whatever happens, and none comes after stop")
    func paced() throws {
        let (sink, asked) = (NullSink(), Asked())
        try sink.start(asked.render(Tone()))
        #expect(asked.wait(40))
        sink.stop()
        let times = asked.times.withLock { $0 }
        #expect(zip(times, times.dropFirst()).allSatisfy { $1 - $0 == 5_000_000 })
        #expect(sink.statistics.frames == Int64(times.count) * 240)
        sink.stop()
        #expect(asked.times.withLock { $0.count } == times.count)
    }

    @Test("What a stall held up is asked for at once, but not more than half a second")
    func stall() throws {
        let (sink, asked) = (NullSink(), Asked())
        let stalled = Mutex(false)
        let render = asked.render(Tone())
        try sink.start { samples, frames, time in
            let first = stalled.withLock { stalled in defer { stalled = true }; return !stalled }
            if first { Thread.sleep(forTimeInterval: 0.8) }
            render(samples, frames, time)
        }
        #expect(asked.wait(20))
        sink.stop()
        let statistics = sink.statistics
        #expect(statistics.skipped >= 790_000_000 && statistics.missedDeadlines >= 0)
        let times = asked.times.withLock { $0 }
        #expect(zip(times, times.dropFirst()).allSatisfy { $0 < $1 })
    }

    @Test("A WAV is whole while it is written, so also when the process is killed")
    func wave() throws {
        let (sink, asked) = (try WaveSink(file: path("mix.wav")), Asked())
        try sink.start(asked.render(Tone()))
        #expect(asked.wait(230))
        let early = try left(path("mix.wav"))
        #expect(early.count >= 48_000)
        #expect(abs(Goertzel.amplitude(early.prefix(48_000), frequency: 1000, sampleRate: 48_000) - 0.5) < 0.001)
        sink.stop()
        #expect(try left(path("mix.wav")).count == Int(sink.statistics.frames))
        #expect(sink.statistics.failure == nil)
    }

    @Test("A directory gets a file for each route, as long as the mix")
    func routes() throws {
        let (sink, asked) = (try WaveSink(directory: path("out/")), Asked())
        let mixer = MixerBox()
        mixer.mixer.onRouteMixed = { [unowned sink] route, samples, frames in sink.routeMixed(route, samples, frames: frames) }
        let render = asked.render(Tone())
        try sink.start { samples, frames, time in
            render(samples, frames, time)
            mixer.mixer.mix(samples, frames: frames, now: time)
        }
        #expect(asked.wait(50))
        sink.stop()
        let frames = Int(sink.statistics.frames)
        for name in ["mix"] + AudioRoute.allCases.map(\.name) { #expect(try left(path("out/\(name).wav")).count == frames) }
    }

    private final class MixerBox: @unchecked Sendable { let mixer = Mixer() }

    @Test("Files that cannot be made say what to do")
    func errors() throws {
        #expect(throws: SoundError.self) { try WaveSink(file: path("missing/mix.wav")) }
        do { _ = try WaveSink(file: path("missing/mix.wav")) } catch { #expect("\(error)".contains("name a file in a directory that exists")) }
        #expect(FileManager.default.createFile(atPath: path("file"), contents: nil))
        #expect(throws: SoundError.self) { try WaveSink(directory: path("file/out")) }
    }

    @Test("A sound device asks in its own time")
    func device() throws {
        setenv("SDL_AUDIODRIVER", "dummy", 1) // SDL's own, of no hardware
        #expect(DeviceSink.isAvailable)
        let (sink, asked) = (try DeviceSink(), Asked())
        try sink.start(asked.render(Tone()))
        #expect(asked.wait(10))
        sink.stop()
        #expect(sink.latency > 0 && sink.statistics.frames >= 10 * 240)
    }
}

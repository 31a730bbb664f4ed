import CSDL2
import FasciaSound
import FasciaSoundFile
import FasciaSoundIO
import Foundation
import Synchronization
import Testing

@Suite("Sinks", .serialized)
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
                return true
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

    private let directory: ScratchDirectory

    init() throws { directory = try ScratchDirectory() }

    private func path(_ name: String) -> String { "\(directory.path)/\(name)" }

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

    @Test("What a stall of more than half a second held up is left out, and said to have been")
    func stall() throws {
        let (sink, asked) = (NullSink(), Asked())
        let stalled = Mutex(false)
        let render = asked.render(Tone())
        try sink.start { samples, frames, time in
            let first = stalled.withLock { stalled in defer { stalled = true }; return !stalled }
            if first { Thread.sleep(forTimeInterval: 0.8) }
            return render(samples, frames, time)
        }
        #expect(asked.wait(20))
        sink.stop()
        let statistics = sink.statistics
        #expect(statistics.skipped >= 790_000_000)
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
            mixer.mixer.mix(samples, frames: frames, now: time)
            return render(samples, frames, time)
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
        #expect(useDriver("dummy"), "SDL's own, of no hardware")
        #expect(DeviceSink.isAvailable)
        let (sink, asked) = (try DeviceSink(), Asked())
        try sink.start(asked.render(Tone()))
        #expect(asked.wait(10))
        sink.stop()
        #expect(sink.latency > 0 && sink.statistics.frames >= 10 * 240 && sink.statistics.failure == nil)
    }

    @Test("What is silent is not asked for, and a file keeps its time", arguments: [false, true])
    func rest(_ toFile: Bool) throws {
        let sink: any SoundSink = toFile ? try WaveSink(file: path("mix.wav")) : NullSink()
        let asked = Asked(), tone = Tone()
        let rendered = Mutex(0)
        let render = asked.render(tone)
        // Ten blocks of a tone, then silence until it is woken; twice.
        try sink.start { samples, frames, time in
            _ = render(samples, frames, time)
            return rendered.withLock { count in
                count += 1
                return count % 10 != 0
            }
        }
        #expect(asked.wait(10))
        let before = sink.statistics.frames
        while toFile, sink.statistics.frames < before + 24_000 { usleep(10_000) } // a file's silence is written while it lasts
        #expect(asked.times.withLock { $0.count } == 10)
        sink.wake()
        #expect(asked.wait(10))
        sink.stop()
        let times = asked.times.withLock { $0 }
        #expect(times.count == 20 && sink.statistics.skipped == 0)
        #expect((times[10] - times[0]) % 5_000_000 == 0 && times[19] - times[10] == 45_000_000, "at the deadlines it would have had")
        guard toFile else { return }
        let samples = try left(path("mix.wav"))
        #expect(samples.count == Int(sink.statistics.frames) && Int(times[19] - times[0]) / 5_000_000 * 240 + 240 <= samples.count)
        let second = samples.indices.dropFirst(2_400).first { samples[$0] != 0 }
        #expect(second.map { $0 / 240 } == Int(times[10] - times[0]) / 5_000_000)
    }

    /// Whatever was before: this driver of SDL's and no other; false when it does not start.
    private func useDriver(_ name: String) -> Bool {
        while SDL_WasInit(SDL_INIT_AUDIO) != 0 { SDL_QuitSubSystem(SDL_INIT_AUDIO) }
        setenv("SDL_AUDIODRIVER", name, 1)
        return SDL_InitSubSystem(SDL_INIT_AUDIO) == 0
    }

    @Test("A device that takes no more sound is given up, with a word, and sound goes on into nowhere")
    func stuckDevice() throws {
        // SDL's own, of a file; it takes four seconds for a block.
        setenv("SDL_DISKAUDIOFILE", path("device.raw"), 1)
        setenv("SDL_DISKAUDIODELAY", "4000", 1)
        #expect(useDriver("disk"))
        let (sink, asked) = (try DeviceSink(), Asked())
        try sink.start(asked.render(Tone()))
        #expect(asked.wait(50), "by the clock")
        #expect(sink.statistics.failure?.contains("takes no sound") == true)
        sink.stop()
        setenv("SDL_AUDIODRIVER", "dummy", 1)
    }

    @Test("Without a sound system the reason is said")
    func noDevice() throws {
        #expect(!useDriver("pulseaudio") && !DeviceSink.isAvailable)
        do {
            _ = try DeviceSink()
            Issue.record("there is a device")
        } catch {
            #expect(error.code == .device && error.detail.contains("connect one, or choose a file or null"), "\(error)")
        }
        #expect(useDriver("dummy"))
    }
}

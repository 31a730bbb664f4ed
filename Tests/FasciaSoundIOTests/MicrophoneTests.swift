import FasciaLink
import FasciaSound
import FasciaSoundFile
import FasciaSoundIO
import Foundation
import Synchronization
import Testing

@Suite("Microphones from files")
struct MicrophoneTests {
    private let directory: ScratchDirectory

    init() throws { directory = try ScratchDirectory() }

    private func path(_ name: String) -> String { "\(directory.path)/\(name)" }

    /// What a source gives until there is so much of it.
    private func record(_ source: WaveSource, blocks: Int) throws -> [Float] {
        let heard = Mutex([Float]())
        let (channels, done) = (source.channels, DispatchSemaphore(value: 0))
        try source.start { samples, frames, _ in
            heard.withLock { $0 += (0..<frames).map { samples[$0 * channels] } }
            done.signal()
        }
        for _ in 0..<blocks { #expect(done.wait(timeout: .now() + 20) == .success) }
        source.stop()
        return heard.withLock { $0 }
    }

    @Test("A short file is heard over and over, at the rate that is wanted", arguments: ["tone.wav", "tone.flac", "tone.ogg"])
    func loop(_ name: String) throws {
        let writer = try SoundFileWriter(path: path(name), sampleRate: 44_100, channels: 2)
        var signal = TestSignal(.sine(1000), sampleRate: 44_100)
        let samples = signal.render(frames: 4410, channels: 2) // whole periods
        try samples.withUnsafeBufferPointer { buffer in
            if let first = buffer.baseAddress { try writer.write(first, frames: 4410) }
        }
        writer.close()
        let heard = try record(try WaveSource(file: path(name), sampleRate: 16_000, channels: 1), blocks: 40)
        #expect(heard.count >= 6400 && heard.count.isMultiple(of: 160))
        #expect(abs(Goertzel.amplitude(heard[1600..<6400], frequency: 1000, sampleRate: 16_000) - 0.5) < 0.05)
    }

    @Test("What is no sound is refused with advice, or is silence; nothing worse")
    func hostile() throws {
        do {
            _ = try WaveSource(file: path("none.wav"), sampleRate: 16_000, channels: 1)
            Issue.record("a file that is not there was heard")
        } catch { #expect("\(error)".contains("name a WAV, FLAC, Ogg or MP3 file")) }
        let writer = try SoundFileWriter(path: path("good.wav"), sampleRate: 16_000, channels: 1)
        let samples = [Float](repeating: 0.1, count: 160)
        try samples.withUnsafeBufferPointer { buffer in
            if let first = buffer.baseAddress { try writer.write(first, frames: 160) }
        }
        writer.close()
        let good = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path("good.wav"))))
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<300 {
            var bytes = good
            for _ in 0..<Int.random(in: 1...8, using: &generator) { bytes[Int.random(in: 0..<60, using: &generator)] = .random(in: 0...255, using: &generator) }
            bytes.removeLast(Int.random(in: 0...300, using: &generator))
            guard let reader = try? SoundFileReader(bytes: bytes) else { continue }
            let room = UnsafeMutablePointer<Float>.allocate(capacity: 256 * reader.channels)
            defer { room.deallocate() }
            var blocks = 0
            while reader.read(into: room, frames: 256) > 0, blocks < 100 { blocks += 1 }
            #expect(blocks < 100, "more sound than bytes")
        }
    }
}

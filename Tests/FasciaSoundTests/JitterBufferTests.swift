import FasciaSound
import FasciaSoundSimulation
import Testing

@Suite("Jitter buffer in virtual time")
struct JitterBufferTests {
    /// Of little work, for long times.
    private static func cheap() -> SimulatedStream {
        var stream = SimulatedStream()
        stream.format.sampleRate = 16_000
        stream.outputRate = 16_000
        stream.pullFrames = 80
        return stream
    }

    @Test("Ten minutes with clocks 100 ppm apart: no gap, no click, no growing delay", arguments: [-100.0, 100])
    func drift(_ ppm: Double) throws {
        var stream = Self.cheap()
        stream.seconds = 600
        stream.driftPPM = ppm
        stream.network.jitter = 2_000_000
        let report = try stream.run()
        #expect(report.statistics.gaps == 0 && report.statistics.concealed == 0 && report.statistics.cuts == 0 && report.statistics.late == 0)
        #expect(report.clicks == 0 && report.silences == 0)
        #expect(report.largestDelay < 45_000_000, "first frame sent to pulled, with 1 ms of the network")
        #expect(abs(report.statistics.driftPPM - ppm) < 60)
    }

    @Test("Lost packets are made up, each one, without a click", arguments: [0, 0.01, 0.02], [AudioFormat.Codec.pcm16, .opus])
    func loss(_ loss: Double, _ codec: AudioFormat.Codec) throws {
        var stream = SimulatedStream()
        stream.format = AudioFormat(codec, sampleRate: 48_000, channels: 2)
        stream.seconds = 20
        stream.network.loss = loss
        let report = try stream.run()
        #expect(report.statistics.gaps == 0 && report.silences == 0)
        #expect(abs(report.statistics.concealed - report.packetsLost) <= 1)
        if codec == .opus { #expect(report.largestClick < 0.05, "libopus' own, which goes from made up to real a little roughly") } else { #expect(report.clicks == 0) }
    }

    @Test("Stalls of 200 to 460 ms: back to the target within 2 s, never above the bound")
    func stalls() throws {
        for (codec, drift) in [(AudioFormat.Codec.pcm16, 100.0), (.pcm16, -100), (.opus, 0)] {
            var stream = Self.cheap()
            stream.format.codec = codec
            stream.seconds = 125
            stream.driftPPM = drift
            stream.network.stalls = SimulatedNetwork.stalls(20, every: 6_000_000_000, lengths: 200_000_000...460_000_000, seed: 7)
            let report = try stream.run()
            #expect(report.statistics.gaps == 20)
            #expect(report.statistics.largestBuffered <= JitterBuffer.bound)
            #expect(abs(report.statistics.driftPPM - drift) < 150)
            #expect(report.largestCalm <= report.statistics.target + 12_000_000)
            #expect(report.slowestRecovery <= 2_000_000_000)
            #expect(report.clicks == 0 && report.silences == 0)
        }
    }

    @Test("Jitter of 60 ms is learned: after it has shown, hardly a gap")
    func jitter() throws {
        var stream = Self.cheap()
        stream.network.jitter = 60_000_000
        let report = try stream.run()
        #expect(report.statistics.gaps <= 10)
        #expect(report.statistics.target > 50_000_000 && report.largestCalm <= JitterBuffer.bound)
        #expect(report.clicks == 0)
    }

    @Test("A sink that asks for four periods at once is given them")
    func burstySink() throws {
        var stream = Self.cheap()
        stream.pullsAtOnce = 4
        let report = try stream.run()
        #expect(report.statistics.gaps <= 2, "until it is known")
        #expect(report.statistics.target < 57_000_000 && report.clicks == 0)
    }
}

import FasciaSound
import FasciaSoundSimulation
import Testing

@Suite("Ducking")
struct DuckingTests {
    @Test("Prompts that end, are cut off or lose the link: down and back within the ramp and 20 ms")
    func prompts() throws {
        var simulation = SimulatedPrompts()
        simulation.prompts = 200 // a thousand in `fascia bench audio`
        let report = try simulation.run()
        #expect(report.prompts == 200 && report.endings.values.allSatisfy { $0 > 40 })
        #expect(report.largestDuckError <= 20_000_000)
        #expect(report.largestRestoreError <= 20_000_000)
        #expect(report.largestLevelError < 0.2)
        #expect(report.clicks == 0)
    }

    private let format = AudioFormat(.pcm16, sampleRate: 48_000, channels: 1)

    /// Runs without packets; what is ducked is the media stream that never sounds.
    private func run(_ mixer: Mixer, milliseconds: Int) {
        let output = UnsafeMutablePointer<Float>.allocate(capacity: 480 * 2)
        defer { output.deallocate() }
        for step in 0..<milliseconds / 10 { mixer.mix(output, frames: 480, now: 1_000_000_000 + UInt64(step) * 10_000_000) }
    }

    @Test("Of several ducks the lowest holds, and the others when it has gone")
    func nested() throws {
        let mixer = Mixer()
        try mixer.start(StreamKey(.media, 1), format: format)
        try mixer.start(StreamKey(.navigation, 1), format: format, duck: Duck(level: -15, ramp: 200_000_000))
        run(mixer, milliseconds: 210)
        #expect(mixer.duckLevel == -15)
        try mixer.start(StreamKey(.alert, 1), format: format, duck: Duck(level: -30, ramp: 100_000_000))
        run(mixer, milliseconds: 50)
        #expect(abs(mixer.duckLevel - -22.5) < 0.1, "half way, linear in dB")
        run(mixer, milliseconds: 60)
        #expect(mixer.duckLevel == -30)
        mixer.stop(StreamKey(.navigation, 1), drain: false)
        run(mixer, milliseconds: 300)
        #expect(mixer.duckLevel == -30)
        mixer.update(StreamKey(.alert, 1), gain: 0, duck: Duck(level: -10, ramp: 100_000_000))
        run(mixer, milliseconds: 110)
        #expect(mixer.duckLevel == -10)
        mixer.update(StreamKey(.alert, 1), gain: 0, duck: nil)
        run(mixer, milliseconds: 110)
        #expect(mixer.duckLevel == 0 && mixer.activeDuck == nil)
    }

    @Test("A media stream does not duck itself, only other media; one that begins under a duck begins there")
    func others() throws {
        let mixer = Mixer()
        try mixer.start(StreamKey(.media, 1), format: format)
        try mixer.start(StreamKey(.media, 2), format: format, duck: Duck(level: -20, ramp: 0))
        run(mixer, milliseconds: 20)
        #expect(mixer.status.map(\.duck) == [-20, 0])
        try mixer.start(StreamKey(.media, 3), format: format)
        try mixer.start(StreamKey(.telephony, 1), format: format)
        #expect(mixer.status.map(\.duck) == [-20, 0, -20, 0])
        mixer.linkLost()
        #expect(mixer.activeDuck == nil && mixer.status.isEmpty && mixer.takeEnded().count == 4 && mixer.takeEnded().isEmpty)
    }

    @Test("Nonsense for level and ramp is brought inside")
    func limits() {
        #expect(Duck(level: .nan, ramp: -1) == Duck(level: 0, ramp: 0))
        #expect(Duck(level: -.infinity, ramp: .max) == Duck(level: -100, ramp: 5_000_000_000))
    }
}

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
        #expect(report.prompts == 200 && report.endings.count == 5 && report.endings.values.allSatisfy { $0 > 20 })
        #expect(report.largestDuckError <= 20_000_000)
        #expect(report.largestRestoreError <= 20_000_000)
        #expect(report.largestWait <= 80_000_000, "what waited is played, and 30 ms made up")
        #expect(report.largestLevelError < 0.2)
        #expect(report.clicks == 0)
    }

    private let format = AudioFormat(.pcm16, sampleRate: 48_000, channels: 1)

    /// Runs without packets, so at most half a second; what is ducked is the media stream that never sounds.
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
        run(mixer, milliseconds: 150)
        #expect(mixer.duckLevel == -30)
        mixer.update(StreamKey(.alert, 1), gain: 0, duck: Duck(level: -10, ramp: 100_000_000))
        run(mixer, milliseconds: 110)
        #expect(mixer.duckLevel == -10)
        mixer.update(StreamKey(.alert, 1), gain: 0, duck: nil)
        run(mixer, milliseconds: 110)
        #expect(mixer.duckLevel == 0 && mixer.activeDuck == nil)
    }

    @Test("A stream whose packets stop, and nobody says why, ducks no longer when it has fallen silent, and again when they come")
    func silentStream() throws {
        let mixer = Mixer()
        try mixer.start(StreamKey(.media, 1), format: format)
        let prompt = StreamKey(.navigation, 1)
        try mixer.start(prompt, format: format, duck: Duck(level: -15, ramp: 200_000_000))
        var packet: UInt32 = 0, now: UInt64 = 1_000_000_000
        let output = UnsafeMutablePointer<Float>.allocate(capacity: 480 * 2)
        defer { output.deallocate() }
        func run(milliseconds: Int, speaks: Bool) {
            for _ in 0..<milliseconds / 10 {
                if speaks {
                    [UInt8](repeating: 1, count: 960).withUnsafeBytes { data in _ = mixer.push(prompt, sequence: packet, time: now, data: data, now: now) }
                    packet += 1
                }
                mixer.mix(output, frames: 480, now: now)
                now += 10_000_000
            }
        }
        run(milliseconds: 500, speaks: true)
        #expect(mixer.duckLevel == -15)
        // What waits is played, and 30 ms made up after it.
        run(milliseconds: 330, speaks: false)
        #expect(mixer.duckLevel == 0 && mixer.activeDuck == nil && mixer.ducking(to: -15).isEmpty)
        mixer.update(prompt, gain: 0, duck: Duck(level: -20, ramp: 200_000_000))
        #expect(mixer.activeDuck == nil, "silent as before")
        run(milliseconds: 300, speaks: true)
        #expect(mixer.duckLevel == -20 && mixer.ducking(to: -20) == [prompt])
        let moves = mixer.duckMoves
        #expect(moves.map(\.to) == [-15, 0, -20] && moves.allSatisfy { $0.ended.map { $0 - moves[0].began } != nil })
        #expect(moves.allSatisfy { ($0.ended ?? 0) - $0.began == 200_000_000 })
        #expect((500_000_000...600_000_000).contains(moves[1].began - moves[0].began))
        #expect(!mixer.isIdle)
        mixer.linkLost()
        run(milliseconds: 300, speaks: false)
        #expect(mixer.isIdle)
    }

    @Test("A stream without a first packet ducks for half a second")
    func emptyStream() throws {
        let mixer = Mixer()
        try mixer.start(StreamKey(.navigation, 1), format: format, duck: Duck(level: -15, ramp: 100_000_000))
        run(mixer, milliseconds: 490)
        #expect(mixer.duckLevel == -15)
        run(mixer, milliseconds: 150)
        #expect(mixer.duckLevel == 0)
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

import FasciaSound
import Testing

@Suite("Mixer")
struct MixerTests {
    /// A stream of the phone's played for a time, packets of 10 ms, and the left channel of the mix.
    private func play(
        _ mixer: Mixer, _ signals: [(StreamKey, TestSignal)], format: AudioFormat, milliseconds: Int, from first: Int = 0, each: (Int) -> Void = { _ in }
    ) -> [Float] {
        var signals = signals
        var left: [Float] = []
        let output = UnsafeMutablePointer<Float>.allocate(capacity: 480 * 2)
        defer { output.deallocate() }
        for step in first..<first + milliseconds / 10 {
            let now = 1_000_000_000 + UInt64(step) * 10_000_000
            each(step)
            for index in signals.indices {
                let bytes = PCM16.bytes(signals[index].1.render(frames: format.sampleRate / 100, channels: format.channels))
                bytes.withUnsafeBytes { data in
                    _ = mixer.push(signals[index].0, sequence: UInt32(step), time: now, data: data, now: now)
                }
            }
            mixer.mix(output, frames: 480, now: now)
            for frame in 0..<480 { left.append(output[frame * 2]) }
        }
        return left
    }

    @Test("Every rate and channel count comes out as it went in", arguments: AudioFormat.pcmRates, [1, 2])
    func rates(_ rate: Int, _ channels: Int) throws {
        let mixer = Mixer()
        let format = AudioFormat(.pcm16, sampleRate: rate, channels: channels)
        let key = StreamKey(.media, 1)
        try mixer.start(key, format: format)
        let left = play(mixer, [(key, TestSignal(.sine(1000), sampleRate: rate, amplitude: 0.5))], format: format, milliseconds: 6000)
        #expect(abs(Goertzel.amplitude(left.suffix(19_200), frequency: 1000, sampleRate: 48_000) - 0.5) < 0.01)
        #expect(abs(LevelMeter.level(left.suffix(19_200)) - -9.03) < 0.1, "and nothing beside it")
    }

    @Test("Eight loud streams stay below full scale, and do not become one another")
    func limiter() throws {
        let mixer = Mixer()
        let format = AudioFormat(.pcm16, sampleRate: 48_000, channels: 1)
        let signals = (0..<8).map { (StreamKey(.media, UInt32($0)), TestSignal(.sine(200 + Double($0) * 370), amplitude: 0.9)) }
        for (key, _) in signals { try mixer.start(key, format: format) }
        let left = play(mixer, signals, format: format, milliseconds: 6000)
        #expect(left.allSatisfy { abs($0) < 1 } && left.contains { abs($0) > 0.7 })
        for index in 0..<8 {
            #expect(Goertzel.amplitude(left.suffix(19_200), frequency: 200 + Double(index) * 370, sampleRate: 48_000) > 0.05)
        }
    }

    @Test("Volume, mute and a stream that is cut off do not click")
    func clicks() throws {
        let mixer = Mixer()
        let format = AudioFormat(.pcm16, sampleRate: 48_000, channels: 1)
        let key = StreamKey(.media, 1)
        try mixer.start(key, format: format)
        var clicks = ClickDetector(threshold: 0.005)
        let left = play(mixer, [(key, TestSignal(.sine(440), amplitude: 0.5))], format: format, milliseconds: 2000) { step in
            switch step {
            case 20: mixer.setVolume(.media, 0.3)
            case 40: mixer.setMute(.media, true)
            case 60: mixer.setMute(.media, false)
            case 80: mixer.setVolume(.media, 1)
            case 100: mixer.update(key, gain: -20, duck: nil)
            case 120: mixer.update(key, gain: 0, duck: nil)
            case 150: mixer.stop(key, drain: false)
            default: break
            }
        }
        clicks.add(left.dropFirst(4800))
        #expect(clicks.clicks == 0, "\(clicks.largest)")
        #expect(LevelMeter.level(left[24_000..<28_000]) == LevelMeter.silence, "muted")
        #expect(abs(LevelMeter.level(left[14_400..<18_000]) - (-9.03 + 20 * -1.0458)) < 0.3, "the square of 0.3")
        #expect(LevelMeter.level(left.suffix(20_000)) == LevelMeter.silence)
        #expect(mixer.takeEnded() == [key])
    }

    @Test("Streams are refused with a reason: formats, numbers in use, too many; packets of none are ignored")
    func refusals() throws {
        let mixer = Mixer()
        let format = AudioFormat(.opus, sampleRate: 44_100, channels: 2)
        #expect(throws: SoundError(.format, "44100 Hz: Opus is played at 16000, 24000, 48000 Hz")) { try mixer.start(StreamKey(.media, 1), format: format) }
        let good = AudioFormat(.pcm16, sampleRate: 44_100, channels: 2)
        for number in 0..<UInt32(Mixer.maxStreams) { try mixer.start(StreamKey(.media, number), format: good) }
        #expect(throws: SoundError.self) { try mixer.start(StreamKey(.media, 0), format: good) }
        #expect(throws: SoundError.self) { try mixer.start(StreamKey(.ui, 0), format: good) }
        let empty = UnsafeRawBufferPointer(start: nil, count: 0)
        #expect(mixer.push(StreamKey(.alert, 9), sequence: 0, time: 0, data: empty, now: 0) == .unknownStream)
        #expect(mixer.push(StreamKey(.media, 1), sequence: 0, time: 0, data: empty, now: 0) == .stream(.malformed))
    }

    @Test("A short sound is played whole, and its stream then is over")
    func short() throws {
        let mixer = Mixer()
        let format = AudioFormat(.pcm16, sampleRate: 48_000, channels: 1)
        let key = StreamKey(.ui, 1)
        try mixer.start(key, format: format)
        let left = play(mixer, [(key, TestSignal(.sine(1000)))], format: format, milliseconds: 200) { step in
            if step == 5 { mixer.stop(key, drain: true) }
        }
        _ = left
        #expect(mixer.status.count == 1, "packets after the stop are still its own")
        let rest = play(mixer, [], format: format, milliseconds: 200, from: 20)
        #expect(mixer.status.isEmpty && mixer.takeEnded() == [key])
        #expect(LevelMeter.level(rest.suffix(4800)) == LevelMeter.silence)
    }

    @Test("What is heard when is known: packets' times, the clocks' difference, the sink's time")
    func latency() throws {
        let mixer = Mixer()
        let format = AudioFormat(.pcm16, sampleRate: 48_000, channels: 1)
        let key = StreamKey(.media, 1)
        try mixer.start(key, format: format)
        #expect(mixer.status.first?.latency == nil)
        mixer.clockOffset = -3_000_000
        _ = play(mixer, [(key, TestSignal(.sine(1000)))], format: format, milliseconds: 3000)
        let latency = try #require(mixer.status.first?.latency)
        #expect((10_000_000...32_000_000).contains(latency), "\(latency)")
    }
}

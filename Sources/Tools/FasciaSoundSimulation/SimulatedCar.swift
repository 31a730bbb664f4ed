import FasciaSound

/// A mixer with music of the phone's on the media route and a tone in the radio's place, whose level is measured.
final class SimulatedCar {
    private static let toneAmplitude: Float = 0.25

    let mixer = Mixer()
    private(set) var clicks = 0
    private var now: UInt64 = 1_000_000_000
    private var musicNumber: UInt32 = 0
    private var musicPacket: UInt32 = 0
    private var promptPacket: UInt32 = 0
    private let silence: [UInt8]
    private let tone = Tone(amplitude: toneAmplitude)
    private var detector = ClickDetector(threshold: 0.01)

    init() throws(SoundError) {
        silence = [UInt8](repeating: 0, count: 480 * 2)
        // Only the tone sounds: the level of the mix is its level.
        mixer.start(local: "radio", tone, ducked: true)
        try startMusic()
    }

    func startMusic() throws(SoundError) {
        musicNumber += 1
        musicPacket = 0
        try mixer.start(StreamKey(.media, musicNumber), format: AudioFormat(.pcm16, sampleRate: 48_000, channels: 1))
    }

    func startPrompt(_ key: StreamKey, duck: Duck) throws(SoundError) {
        promptPacket = 0
        try mixer.start(key, format: AudioFormat(.pcm16, sampleRate: 48_000, channels: 1), duck: duck)
    }

    /// Goes on, with packets of the streams that play.
    /// - Parameter isCut: with none.
    @discardableResult
    func play(milliseconds: Int, prompt: StreamKey? = nil, isCut: Bool = false) -> Levels {
        var levels = Levels()
        for _ in 0..<milliseconds / 5 { levels.levels.append(step(prompt: prompt, isCut: isCut)) }
        return levels
    }

    /// - Returns: time until a stream is over, nanoseconds; at most a second.
    func playUntilEnded(_ key: StreamKey) -> Int64 {
        for step in 0..<200 {
            if !mixer.status.contains(where: { $0.key == key }) { return Int64(step) * 5_000_000 }
            _ = self.step(prompt: nil)
        }
        return 1_000_000_000
    }

    private func step(prompt: StreamKey?, isCut: Bool = false) -> Float {
        if now % 10_000_000 == 0, !isCut {
            push(StreamKey(.media, musicNumber), &musicPacket)
            if let prompt { push(prompt, &promptPacket) }
        }
        let output = UnsafeMutablePointer<Float>.allocate(capacity: Mixer.step * 2)
        defer { output.deallocate() }
        mixer.mix(output, frames: Mixer.step, now: now)
        now += 5_000_000
        let left = (0..<Mixer.step).map { output[$0 * 2] }
        detector.add(left)
        clicks = detector.clicks
        return LevelMeter.level(left) - LevelMeter.level([Self.toneAmplitude / Float(2).squareRoot()])
    }

    private func push(_ key: StreamKey, _ packet: inout UInt32) {
        let time = now
        silence.withUnsafeBytes { data in _ = mixer.push(key, sequence: packet, time: time, data: data, now: time) }
        packet += 1
    }
}

/// 1 kHz: whole periods in 5 ms, so that its level is the same in each.
private final class Tone: LocalSound {
    private var signal: TestSignal

    init(amplitude: Float) { signal = TestSignal(.sine(1000), amplitude: amplitude) }

    func render(_ samples: UnsafeMutablePointer<Float>, frames: Int) -> Bool {
        signal.render(samples, frames: frames, channels: 2)
        return true
    }
}

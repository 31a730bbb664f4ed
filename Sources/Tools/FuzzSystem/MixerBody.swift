import FasciaSound
import FuzzCore

/// Input: commands of a phone and a car to a mixer: streams of any format, packets in any order, cuts, volumes, the car's own sound.
@Sendable func checkMixer(_ input: [UInt8]) -> String? {
    var input = FuzzInput(input)
    var subject = MixerSubject()
    while !input.isEmpty {
        if let problem = subject.perform(&input) { return problem }
    }
    return subject.silence()
}

private struct MixerSubject {
    private let mixer = Mixer()
    private var now: UInt64 = 1_000_000_000
    private var sequence: UInt32 = 0
    private var output = [Float](repeating: 0, count: 2 * 2_880)

    private static let formats: [AudioFormat] = AudioFormat.all + [AudioFormat(.pcm16, sampleRate: 0, channels: 1), AudioFormat(.opus, sampleRate: 44_100, channels: 3)]

    mutating func perform(_ input: inout FuzzInput) -> String? {
        let command = input.byte()
        let key = StreamKey(AudioRoute(rawValue: command >> 3 & 7) ?? .media, UInt32(command >> 6))
        switch command & 7 {
        case 0:
            let format = Self.formats[Int(input.byte()) % Self.formats.count]
            let duck = input.byte()
            do { try mixer.start(key, format: format, gain: level(&input), duck: duck & 1 == 0 ? nil : Duck(level: level(&input), ramp: Int64(duck) * 2_000_000)) } catch {}
        case 1, 2:
            let form = input.byte()
            sequence = form & 3 == 0 ? UInt32(input.byte()) << UInt32(input.byte() & 31) : sequence &+ 1
            let size = Int(form >> 2 & 15) * 240
            let data = form & 128 == 0 ? input.take(Int(input.byte())) : [UInt8](repeating: input.byte(), count: size)
            let time = form & 64 == 0 ? now : UInt64(input.byte()) << UInt64(input.byte() & 63)
            _ = data.withUnsafeBytes { mixer.push(key, sequence: sequence, time: time, data: $0, now: now) }
        case 3:
            if command & 64 == 0 { mixer.stop(key, drain: command & 128 != 0) } else { mixer.update(key, gain: level(&input), duck: nil) }
        case 4:
            let control = input.byte()
            switch control & 7 {
            case 0: mixer.linkLost()
            case 1: mixer.setMute(key.route, control & 8 != 0)
            case 2: mixer.setVolume(key.route, level(&input))
            case 3: mixer.start(local: "radio", Loud(), route: nil, ducked: true)
            case 4: mixer.stop(local: "radio")
            case 5: mixer.clockOffset = Int64(bitPattern: UInt64(input.byte()) << UInt64(input.byte() & 63))
            default: _ = mixer.takeEnded()
            }
        case 5:
            now &+= UInt64(input.byte()) * 1_000_000
        default:
            return mix(frames: 1 + Int(input.byte()) * (command & 8 == 0 ? 1 : 11))
        }
        return held()
    }

    private mutating func mix(frames: Int) -> String? {
        output.withUnsafeMutableBufferPointer { samples in
            if let base = samples.baseAddress { mixer.mix(base, frames: frames, now: now) }
        }
        now &+= UInt64(frames) * 1_000_000_000 / 48_000
        if let bad = output[..<(2 * frames)].first(where: { !($0.magnitude <= 1) }) { return "a sample of \(bad)" }
        return held()
    }

    private func held() -> String? {
        let streams = mixer.status
        if streams.count > Mixer.maxStreams { return "\(streams.count) streams" }
        // A packet may go in while the bound is reached; what is more is left out by the time the next one has.
        if let long = streams.first(where: { $0.buffer.buffered > JitterBuffer.bound + 60_000_000 }) { return "\(long.buffer.buffered) ns are held" }
        return nil
    }

    /// With everything stopped nothing sounds, and nothing ducks, after the longest ramp.
    mutating func silence() -> String? {
        mixer.linkLost()
        mixer.stop(local: "radio")
        for _ in 0..<12 { if let problem = mix(frames: 2_880) { return problem } }
        if !mixer.status.isEmpty || mixer.activeDuck != nil { return "something is left after the link's end" }
        if mixer.duckLevel != 0 { return "still ducked by \(mixer.duckLevel) dB" }
        return output.contains { $0.magnitude > 1e-4 } ? "something sounds after the link's end" : nil
    }

    private func level(_ input: inout FuzzInput) -> Float {
        let byte = input.byte()
        return byte == 255 ? .nan : byte == 254 ? .infinity : -Float(byte)
    }
}

private final class Loud: LocalSound {
    func render(_ samples: UnsafeMutablePointer<Float>, frames: Int) -> Bool {
        samples.update(repeating: 0.9, count: frames * 2)
        return true
    }
}

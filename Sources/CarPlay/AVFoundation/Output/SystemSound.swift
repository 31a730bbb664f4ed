import FasciaSoundFile
import Foundation
import Synchronization

/// A short sound of the system's, played apart from the session: on the alert or the interface route. Nobody pauses it.
package final class SystemSound: Sendable {
    /// Seconds; what is longer is cut, as system sounds are.
    private static let longest = 30

    /// Those that sound now: the output keeps nothing alive.
    private static let sounding = Mutex<[ObjectIdentifier: Playing]>([:])

    /// Mono or interleaved.
    private let samples: [Float]
    private let channels: Int
    private let sampleRate: Double

    package init(contentsOf path: String) throws {
        let reader = try SoundFileReader(path: path)
        let most = reader.sampleRate * Self.longest
        var samples: [Float] = [], chunk = [Float](repeating: 0, count: 4_096 * reader.channels)
        while samples.count < most * reader.channels {
            let count = chunk.withUnsafeMutableBufferPointer { $0.baseAddress.map { reader.read(into: $0, frames: 4_096) } ?? 0 }
            guard count > 0 else { break }
            samples += chunk.prefix(count * reader.channels)
        }
        (self.samples, channels, sampleRate) = (samples, reader.channels, Double(reader.sampleRate))
    }

    /// Two soft strokes of a bell, for sounds that come with the system; `pitch` in Hz.
    package init(bell pitch: Double) {
        let rate = 48_000.0
        samples = (0..<Int(0.35 * rate)).map { frame in
            let time = Double(frame) / rate, second = time > 0.12
            let since = second ? time - 0.12 : time, frequency = second ? pitch * 1.5 : pitch
            let level = 0.22 * min(1, since / 0.004) * exp(-since * 14)
            return Float(level * (sin(2 * .pi * frequency * since) + 0.3 * sin(4 * .pi * frequency * since)))
        }
        (channels, sampleRate) = (1, rate)
    }

    /// - Parameter completion: called on the main thread when it has sounded.
    package func play(alert: Bool, completion: (@Sendable () -> Void)? = nil) {
        SoundConnection.openOnce()
        let playing = Playing(self, completion)
        Self.sounding.withLock { $0[ObjectIdentifier(playing)] = playing }
        SoundOutput.shared.add(playing, role: alert ? .alert : .ui)
    }

    /// One time that it is played.
    private final class Playing: RenderSource, @unchecked Sendable {
        // Touched by the render thread alone.
        private var position = 0
        private var converter: StereoConverter
        private var gain = Gain()
        private var scratch: [Float] = []
        private let sound: SystemSound
        private let completion: (@Sendable () -> Void)?

        init(_ sound: SystemSound, _ completion: (@Sendable () -> Void)?) {
            (self.sound, self.completion) = (sound, completion)
            converter = StereoConverter(channels: sound.channels, sampleRate: sound.sampleRate)
        }

        func render(_ frames: Int, to output: UnsafeMutablePointer<Float>, at clock: RenderClock) -> Bool {
            if scratch.count != 2 * frames { scratch = [Float](repeating: 0, count: 2 * frames) }
            let made = scratch.withUnsafeMutableBufferPointer { scratch -> Int in
                guard let base = scratch.baseAddress else { return 0 }
                let made = converter.pull(frames, to: base, rate: clock.sampleRate) { target, count in
                    let count = min(count, (sound.samples.count - position) / sound.channels)
                    for index in 0..<count * sound.channels { target[index] = sound.samples[position + index] }
                    position += count * sound.channels
                    return count
                }
                gain.mix(base, frames: made, to: output, rate: clock.sampleRate)
                return made
            }
            guard made < frames else { return true }
            SystemSound.sounding.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(self)) }
            if let completion { DispatchQueue.main.async(execute: completion) }
            return false
        }
    }
}

import FasciaSound
import FasciaWire

/// What the car offers in Welcome.audio: everything its mixer plays, and what its microphone can be asked for.
enum SoundFormats {
    /// The microphone is one channel; Opus for calls, PCM for recognition.
    static let microphone = AudioFormat.all.filter { $0.channels == 1 }

    static func capabilities(sink: String, hasMicrophone: Bool) -> AudioCapabilities {
        .with {
            $0.formats = AudioFormat.all.map(\.wire)
            $0.microphone = hasMicrophone ? microphone.map(\.wire) : []
            $0.sink = sink
        }
    }
}

extension FasciaSound.AudioFormat {
    /// Nil: a codec that is not known here.
    init?(_ wire: FasciaWire.AudioFormat) {
        let codec: Codec
        switch wire.codec {
        case .pcm16: codec = .pcm16
        case .opus: codec = .opus
        case .unspecified, .UNRECOGNIZED: return nil
        }
        self.init(codec, sampleRate: Int(wire.sampleRate), channels: Int(wire.channels))
    }

    var wire: FasciaWire.AudioFormat {
        .with {
            $0.codec = codec == .pcm16 ? .pcm16 : .opus
            $0.sampleRate = UInt32(clamping: sampleRate)
            $0.channels = UInt32(clamping: channels)
        }
    }

    /// For people: `Opus 48000 Hz stereo`.
    var text: String { "\(codec == .pcm16 ? "PCM" : "Opus") \(sampleRate) Hz \(channels == 1 ? "mono" : "stereo")" }
}

extension FasciaSound.Duck {
    init(_ wire: FasciaWire.Duck) { self.init(level: wire.levelDb, ramp: Int64(wire.rampMs) * 1_000_000) }
}

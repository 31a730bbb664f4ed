import FasciaSound
import FasciaWire

/// What a car takes and gives, as its Welcome says.
package struct CarSound {
    /// What the phone can send and hear, for its Hello.
    package static let offer = AudioCapabilities.with {
        $0.formats = FasciaSound.AudioFormat.all.map(\.message)
        $0.microphone = FasciaSound.AudioFormat.all.filter { $0.codec == .pcm16 && $0.channels == 1 }.map(\.message)
    }
    /// The channels that takes.
    package static let channels = ChannelID.audioRoutes.map { UInt32($0) } + [UInt32(ChannelID.audioIn.rawValue)]

    private let formats: Set<FasciaSound.AudioFormat>
    private let microphone: Set<FasciaSound.AudioFormat>
    private let channels: Set<UInt32>

    init(_ welcome: Welcome) {
        formats = Set(welcome.audio.formats.compactMap(FasciaSound.AudioFormat.init))
        microphone = Set(welcome.audio.microphone.compactMap(FasciaSound.AudioFormat.init))
        channels = Set(welcome.channels)
    }

    var hasMicrophone: Bool { !microphone.isEmpty && channels.contains(UInt32(ChannelID.audioIn.rawValue)) }
    func takes(_ route: AudioRoute) -> Bool { channels.contains(UInt32(route.channel.rawValue)) }
    func gives(_ format: FasciaSound.AudioFormat) -> Bool { hasMicrophone && microphone.contains(format) }

    /// How PCM of an app travels; nil when the car plays nothing of the kind.
    /// - Parameter prefersOpus: if the car takes it.
    func format(for source: FasciaSound.AudioFormat, prefersOpus: Bool) -> FasciaSound.AudioFormat? {
        let opus = AudioFormat(.opus, sampleRate: source.sampleRate == 44_100 ? 48_000 : source.sampleRate, channels: source.channels)
        return (prefersOpus ? [opus, source] : [source, opus]).first(where: formats.contains)
    }
}

extension FasciaSound.AudioFormat {
    /// Nil for what version 1 does not know.
    init?(_ format: FasciaWire.AudioFormat) {
        switch format.codec {
        case .pcm16: self.init(.pcm16, sampleRate: Int(format.sampleRate), channels: Int(format.channels))
        case .opus: self.init(.opus, sampleRate: Int(format.sampleRate), channels: Int(format.channels))
        case .unspecified, .UNRECOGNIZED: return nil
        }
        guard refusal == nil else { return nil }
    }

    var message: FasciaWire.AudioFormat {
        .with {
            $0.codec = codec == .opus ? .opus : .pcm16
            $0.sampleRate = UInt32(sampleRate)
            $0.channels = UInt32(channels)
        }
    }

    /// Bytes of one frame of PCM.
    var frameBytes: Int { 2 * channels }
    /// Nanoseconds of so many bytes of PCM.
    func duration(ofBytes bytes: Int) -> UInt64 { UInt64(max(0, duration(ofFrames: bytes / frameBytes))) }
}

extension AudioRoute {
    var channel: ChannelID { ChannelID(ChannelID.audioRoutes.lowerBound + UInt16(rawValue)) }
}

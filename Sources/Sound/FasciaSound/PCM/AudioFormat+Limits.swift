extension AudioFormat {
    /// Rates of PCM on the link, Hz.
    public static let pcmRates = [16_000, 24_000, 44_100, 48_000]
    /// Rates of Opus on the link, Hz.
    public static let opusRates = [16_000, 24_000, 48_000]
    /// Every format of spec/sound.md, the dearest first.
    public static let all: [AudioFormat] =
        [2, 1].flatMap { channels in
            pcmRates.reversed().map { AudioFormat(.pcm16, sampleRate: $0, channels: channels) }
                + opusRates.reversed().map { AudioFormat(.opus, sampleRate: $0, channels: channels) }
        }

    /// Sound of one packet, nanoseconds: 2.5 to 60 ms.
    public static let packetDurations: ClosedRange<Int64> = 2_500_000...60_000_000

    /// Why it is refused, for people; nil when it is one of `all`.
    public var refusal: String? {
        guard (1...2).contains(channels) else { return "\(channels) channels: 1 or 2 are played" }
        let rates = codec == .pcm16 ? Self.pcmRates : Self.opusRates
        guard rates.contains(sampleRate) else {
            return "\(sampleRate) Hz: \(codec == .pcm16 ? "PCM" : "Opus") is played at \(rates.map(String.init).joined(separator: ", ")) Hz"
        }
        return nil
    }

    /// Nanoseconds of so many frames, for `frames` below 2^33.
    public func duration(ofFrames frames: Int) -> Int64 { Int64(frames) * 1_000_000_000 / Int64(max(sampleRate, 1)) }
}

/// Which streams were started on the sound channels of one connection: their numbers rise on each channel (spec/sound.md, S-5), so that
/// one is never meant for another that ended.
public struct StreamNumbers: Sendable {
    private var highest: [ChannelID: UInt32] = [:]

    public init() {}

    /// A StreamStart came.
    /// - Throws: the number is not above every earlier one of its channel: BAD_MESSAGE.
    public mutating func started(_ stream: UInt32, on channel: ChannelID) throws(SoundViolation) {
        guard stream > highest[channel, default: 0] else { throw SoundViolation("stream \(stream) on \(channel), after \(highest[channel, default: 0])") }
        highest[channel] = stream
    }
}

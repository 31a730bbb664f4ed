import FixtureSupport
import Testing

@testable import FasciaFraming

struct FrameFixtureTests {
    /// Numbers of the close codes that rules of the frame layer lead to (spec/link.md 12.2).
    static func number(_ rule: FramingError.Rule) -> UInt32 {
        switch rule {
        case .reservedNotZero, .unknownFlags, .wrongLength, .wrongChannel: 0x10
        case .frameTooLarge: 0x11
        case .fragmentTooShort, .unexpectedFirst, .unexpectedContinuation: 0x12
        case .messageTooLarge: 0x13
        case .creditViolation: 0x14
        }
    }

    @Test(arguments: Fixture.all("frame"))
    func decodes(_ fixture: Fixture) throws {
        let expected = try #require(fixture.expect["frames"]?.array)
        let limit = try #require(fixture.entry["limit"]?.int)
        for size in [1, 2, 3, 7, 8, 13, 1_000, 1_000_000] {
            var parser = FrameParser(maxPayload: limit)
            var frames: [FrameParser.Frame] = []
            var fed = 0
            for chunk in fixture.bytes.chunks(of: size) {
                frames += parser.frames(Array(chunk))
                fed += chunk.count
                if let within = fixture.errorWithin, size == 1 {
                    #expect(parser.failure == nil || fed >= within.lowerBound)
                    #expect(parser.failure != nil || fed < within.upperBound)
                }
            }
            #expect(parser.failure.map { Self.number($0.rule) } == fixture.errorNumber, "chunks of \(size)")
            #expect(frames.count == expected.count, "chunks of \(size)")
            for (frame, expected) in zip(frames, expected) {
                #expect(Int(frame.header.type.rawValue) == expected["type"]?.int)
                #expect(Int(frame.header.flags.rawValue) == expected["flags"]?.int)
                #expect(Int(frame.header.channel) == expected["channel"]?.int)
                #expect(frame.header.type.isKnown == (expected["name"] != nil))
                if let payload = expected["payload"]?.hex { #expect(frame.payload == payload) }
                if let length = expected["payload_length"]?.int { #expect(frame.payload.count == length) }
            }
            if let incomplete = fixture.expect["incomplete"]?.int { #expect(parser.pendingBytes == incomplete) }
        }
    }

    @Test(arguments: Fixture.all("frame").filter { $0.entry["canonical"]?.bool == true })
    func encodes(_ fixture: Fixture) {
        var parser = FrameParser(maxPayload: FramingLimits.maxMaxPayload)
        var bytes: [UInt8] = []
        for frame in parser.frames(fixture.bytes) {
            FrameWriter.frame(frame.header.type, flags: frame.header.flags, channel: frame.header.channel, payload: frame.payload, into: &bytes)
        }
        #expect(bytes == fixture.bytes)
    }
}

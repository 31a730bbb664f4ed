import FasciaWire
import FixtureSupport
import Testing

struct SoundMessageTests {
    static func split(_ fixture: Fixture) -> (type: UInt16, body: [UInt8]) {
        (UInt16(fixture.bytes[0]) << 8 | UInt16(fixture.bytes[1]), Array(fixture.bytes[2...]))
    }

    /// Messages of sound, and what is wrong with those that are.
    @Test(arguments: Fixture.all("message").filter { $0.bytes[0] == 0x20 })
    func fixtures(_ fixture: Fixture) throws {
        let (type, body) = Self.split(fixture)
        if fixture.expect["error"] != nil {
            #expect(throws: SoundViolation.self) { _ = try SoundMessage(type, body) }
            return
        }
        let message = try #require(try SoundMessage(type, body))
        let fields = try #require(fixture.expect["fields"])
        #expect(Int(message.stream) == fields["stream"]?.int)
        if case .packet(let header, let data) = message {
            #expect(Int(header.sequence) == fields["sequence"]?.int)
            #expect(String(header.time) == fields["timeNs"]?.string)
            #expect(Array(data) == fields["data"]?.hex)
            #expect(header.encoded + data == body)
        }
    }

    @Test func bringsIntoRange() throws {
        let (type, body) = try Self.split(#require(Fixture.all("message").first { $0.name == "message/stream-start-loud" }))
        guard case .start(let start) = try SoundMessage(type, body) else { throw SoundViolation("not a start") }
        #expect(start.gainDb == 0 && start.duck.levelDb == -100 && start.duck.rampMs == 5_000)
        let other = try SoundMessage(MessageType.commit, [])
        #expect(other == nil)
    }

    @Test func numbersRiseOnEachChannel() throws {
        var numbers = StreamNumbers()
        try numbers.started(1, on: 32)
        try numbers.started(7, on: 32)
        try numbers.started(1, on: 33)
        #expect(throws: SoundViolation.self) { try numbers.started(7, on: 32) }
        #expect(throws: SoundViolation.self) { try numbers.started(0, on: 34) }
    }
}

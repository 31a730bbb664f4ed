import FasciaAppSound
import FixtureSupport
import Foundation
import SwiftProtobuf
import Testing

/// The golden vectors of `Fixtures/appsound`.
struct SoundFixtureTests {
    private static let fixtures = Fixture.all("appsound")

    @Test func thereAreSome() { #expect(Self.fixtures.count >= 20) }

    @Test(arguments: fixtures)
    private func vector(_ fixture: Fixture) throws {
        if fixture.entry["receiver"]?.string == "phone" { try check(fixture, SoundFromApp.self) } else { try check(fixture, SoundToApp.self) }
    }

    private func check<D: SoundDatagram>(_ fixture: Fixture, _ direction: D.Type) throws {
        let decoded: D?
        do throws(SoundDatagramError) { decoded = try D.decode(fixture.bytes) } catch {
            #expect(fixture.expect["error"]?["code"]?.string == error.code.name)
            return
        }
        guard let datagram = decoded else {
            #expect(fixture.expect["ignored"] == .bool(true))
            return
        }
        let expected = try #require(fixture.expect["datagram"])
        #expect(expected["kind"]?.int == Int(datagram.kind.rawValue))
        switch datagram.content {
        case .packet(let packet):
            #expect(expected["stream"]?.int == Int(packet.header.stream) && expected["sequence"]?.int == Int(packet.header.sequence))
            #expect(expected["time"]?.string == String(packet.header.time))
            #expect(expected["sound"]?.string == packet.samples.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
            #expect(try datagram.encoded() == fixture.bytes)
        case .message(let message):
            let fields = try JSONEncoder().encode(expected["fields"] ?? .object([:]))
            // Fields that this version does not know are kept by the decoder and absent from the expectation.
            #expect(try message.jsonString() == type(of: message).init(jsonUTF8Data: fields).jsonString())
        }
    }
}

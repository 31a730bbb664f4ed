import FasciaWire
import FixtureSupport
import Foundation
import SwiftProtobuf
import Testing

/// Message bodies against the generated types. Field rules of Hello and Welcome are tested with the link machine.
struct MessageFixtureTests {
    static func type(_ number: UInt16) -> (any Message.Type)? {
        switch number {
        case MessageType.hello: Hello.self
        case MessageType.welcome: Welcome.self
        case MessageType.pairStart: PairStart.self
        case MessageType.pairReply: PairReply.self
        case MessageType.pairConfirm: PairConfirm.self
        case MessageType.pairDone: PairDone.self
        case MessageType.touch: TouchEvent.self
        case MessageType.knob: KnobEvent.self
        case MessageType.key: KeyEvent.self
        case MessageType.touchpad: TouchpadEvent.self
        case MessageType.vehicleState: VehicleState.self
        case MessageType.semanticsUpdate: SemanticsUpdate.self
        case MessageType.releaseResources: ReleaseResources.self
        case MessageType.commit: Commit.self
        case MessageType.presented: Presented.self
        case MessageType.ownershipRequest: OwnershipRequest.self
        case MessageType.ownershipState: OwnershipState.self
        case MessageType.streamStart: StreamStart.self
        case MessageType.streamStarted: StreamStarted.self
        case MessageType.streamStop: StreamStop.self
        case MessageType.streamUpdate: StreamUpdate.self
        case MessageType.streamStatus: StreamStatus.self
        default: nil
        }
    }

    @Test(arguments: Fixture.all("message").filter { $0.expect["error"] == nil })
    func decodesAndEncodes(_ fixture: Fixture) throws {
        let number = UInt16(fixture.bytes[0]) << 8 | UInt16(fixture.bytes[1])
        let body = Array(fixture.bytes[2...])
        let rule = try #require(MessageRule.of(number))
        #expect(MessageType.name(number) == fixture.expect["message"]?.string)
        let kind = try #require(fixture.entry["channel"]?.int.flatMap { ChannelKind(ChannelID(UInt16($0))) })
        #expect(rule.allows(kind, from: fixture.entry["sender"]?.string == "phone" ? .phone : .headUnit))
        guard let type = Self.type(number) else { return }
        try check(type, body, fixture)
    }

    private func check<M: Message>(_: M.Type, _ body: [UInt8], _ fixture: Fixture) throws {
        let decoded = try M(serializedBytes: body)
        if let fields = fixture.expect["fields"] {
            // Unknown fields have no JSON form, so only the known ones are compared.
            let expected = try M(jsonUTF8Bytes: Array(try JSONEncoder().encode(fields)))
            let known = try M(jsonUTF8Bytes: decoded.jsonUTF8Bytes() as [UInt8])
            #expect(known.isEqualTo(message: expected))
            if fixture.entry["canonical"]?.bool == true { #expect(try expected.serializedBytes() as [UInt8] == body) }
        }
    }

    static let undecodable = [
        "message/ownership-truncated", "message/ownership-not-utf8", "message/ownership-state-truncated", "message/hello-not-utf8", "message/hello-truncated", "message/commit-wrong-wire-type", "message/semantics-not-utf8",
    ]

    @Test(arguments: Fixture.all("message").filter { undecodable.contains($0.name) })
    func refuses(_ fixture: Fixture) throws {
        let number = UInt16(fixture.bytes[0]) << 8 | UInt16(fixture.bytes[1])
        let type = try #require(Self.type(number))
        #expect(throws: (any Error).self) { _ = try type.init(serializedBytes: Array(fixture.bytes[2...])) }
    }
}

struct ResourceFixtureTests {
    @Test(arguments: Fixture.all("resource"))
    func headers(_ fixture: Fixture) throws {
        let decoded = Result { () throws(ResourceHeaderError) in try ResourceHeader(decoding: fixture.bytes) }
        if fixture.expect["error"] != nil {
            if fixture.expect["error"]?["found_in"]?.string == "header" || fixture.expect["found_in"]?.string == "header" {
                #expect(throws: ResourceHeaderError.self) { try decoded.get() }
            }
            return
        }
        let header = try decoded.get()
        let expected = try #require(fixture.expect["header"])
        #expect(Int(header.id) == expected["id"]?.int)
        #expect(Int(header.format.rawValue) == expected["format"]?.int)
        #expect(Int(header.compression.rawValue) == expected["compression"]?.int)
        #expect(Int(header.width) == expected["width"]?.int)
        #expect(Int(header.height) == expected["height"]?.int)
        #expect(header.rawLength == expected["raw_length"]?.int)
        #expect(header.contentHash == expected["content_hash"]?.hex)
        #expect(header.encoded == Array(fixture.bytes[..<ResourceHeader.size]))
    }
}

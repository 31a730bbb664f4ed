import FasciaWire
import Foundation
import SwiftProtobuf
import Testing

@testable import FasciaPairing

struct PairingExchangeTests {
    static let binding = PairingBinding(
        phone: [UInt8](repeating: 1, count: 32), headUnit: [UInt8](repeating: 2, count: 32), exporter: [UInt8](repeating: 3, count: 32))

    static func phone(_ code: String, _ binding: PairingBinding = binding) throws -> PairingExchange {
        PairingExchange(.phone, code: try #require(PairingCode(code)), name: "Ida’s phone", binding: binding)
    }

    static func headUnit(_ code: String, _ binding: PairingBinding = binding) throws -> PairingExchange {
        PairingExchange(.headUnit, code: try #require(PairingCode(code)), name: "Volvo 240", binding: binding)
    }

    func sent(_ step: PairingExchange.Step) throws -> PairingExchange.Message {
        guard case .send(let message) = step else { throw Unexpected(step: "\(step)") }
        return message
    }
    struct Unexpected: Error { let step: String }

    @Test func sameCodeFinishesOnBothEnds() throws {
        var phone = try Self.phone("123456")
        var headUnit = try Self.headUnit("123 456")
        let start = try sent(phone.start())
        #expect(PairingExchange.isWellFormedStart(start.type, start.body))
        let reply = try sent(headUnit.receive(start.type, start.body))
        let confirm = try sent(phone.receive(reply.type, reply.body))
        guard case .finished(let phoneName, let done?) = headUnit.receive(confirm.type, confirm.body) else { Issue.record("not finished"); return }
        #expect(phoneName == "Ida’s phone")
        #expect(phone.receive(done.type, done.body) == .finished(peerName: "Volvo 240", last: nil))
    }

    @Test func phoneSeesTheWrongCodeFirst() throws {
        var phone = try Self.phone("123456")
        var headUnit = try Self.headUnit("123457")
        let start = try sent(phone.start())
        let reply = try sent(headUnit.receive(start.type, start.body))
        guard case .failed(let error) = phone.receive(reply.type, reply.body) else { Issue.record("accepted"); return }
        #expect(error.code == .wrongCode)
        #expect(error.initiator == .user)
    }

    @Test func headUnitRefusesAWrongConfirmation() throws {
        var phone = try Self.phone("123456")
        var headUnit = try Self.headUnit("123456")
        let start = try sent(phone.start())
        _ = headUnit.receive(start.type, start.body)
        let forged = try PairConfirm.with { $0.confirmation = Data(repeating: 7, count: 32) }.serializedBytes() as [UInt8]
        guard case .failed(let error) = headUnit.receive(MessageType.pairConfirm, forged) else { Issue.record("accepted"); return }
        #expect(error.code == .wrongCode)
        // And it stays failed.
        guard case .failed(let again) = headUnit.receive(start.type, start.body) else { Issue.record("went on"); return }
        #expect(again.code == .unexpectedMessage)
    }

    /// Someone in the middle has two TLS connections: other keys, other exporter values.
    @Test(arguments: [\PairingBinding.phone, \.headUnit, \.exporter])
    func anotherConnectionMeansAnotherResult(_ part: WritableKeyPath<PairingBinding, [UInt8]> & Sendable) throws {
        var other = Self.binding
        other[keyPath: part][0] ^= 1
        var phone = try Self.phone("123456")
        var headUnit = try Self.headUnit("123456", other)
        let start = try sent(phone.start())
        let reply = try sent(headUnit.receive(start.type, start.body))
        guard case .failed(let error) = phone.receive(reply.type, reply.body) else { Issue.record("accepted"); return }
        #expect(error.code == .wrongCode)
    }

    @Test(arguments: [MessageType.pairReply, MessageType.pairConfirm, MessageType.pairDone, 0x0001, 0x1003])
    func messagesOutOfTurnEndTheHeadUnitsExchange(_ type: UInt16) throws {
        var headUnit = try Self.headUnit("123456")
        guard case .failed(let error) = headUnit.receive(type, []) else { Issue.record("accepted"); return }
        #expect(error.code == .unexpectedMessage)
        #expect(error.initiator == .remote)
    }

    @Test func doneWithoutConfirmationIsNoPairing() throws {
        var phone = try Self.phone("123456")
        _ = phone.start()
        guard case .failed(let error) = phone.receive(MessageType.pairDone, []) else { Issue.record("accepted"); return }
        #expect(error.code == .unexpectedMessage)
    }

    @Test(arguments: ["share", "salt", "name", "garbage"])
    func malformedStartIsRefusedBeforeAnythingIsComputed(_ what: String) throws {
        var phone = try Self.phone("123456")
        let start = try sent(phone.start())
        var message = try PairStart(serializedBytes: start.body)
        switch what {
        case "share": message.share[10] ^= 1
        case "salt": message.salt = Data([1, 2, 3])
        default: message.name = String(repeating: "x", count: 65)
        }
        let body = what == "garbage" ? [0xFF, 0xFF, 0xFF] : try message.serializedBytes() as [UInt8]
        #expect(!PairingExchange.isWellFormedStart(start.type, body))
        var headUnit = try Self.headUnit("123456")
        guard case .failed(let error) = headUnit.receive(start.type, body) else { Issue.record("accepted"); return }
        #expect(error.code == .malformed)
    }
}

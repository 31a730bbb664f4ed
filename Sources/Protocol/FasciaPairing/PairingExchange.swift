import COpenSSL
import FasciaWire
import FoundationEssentials
import SwiftProtobuf

/// What ties a pairing to one TLS connection: an attacker between the two ends has two connections, with other keys and
/// another exporter value, and so computes other confirmations.
public struct PairingBinding: Sendable, Equatable {
    /// Label of the TLS exporter value.
    public static let exporterLabel = "EXPORTER-fascia-pairing"
    /// Its length in bytes.
    public static let exporterLength = 32

    /// SHA-256 of the phone's SubjectPublicKeyInfo: SPAKE2's identity A.
    public var phone: [UInt8]
    /// The same of the head unit: identity B.
    public var headUnit: [UInt8]
    /// The exporter value: additional data of the confirmation keys.
    public var exporter: [UInt8]

    public init(phone: [UInt8], headUnit: [UInt8], exporter: [UInt8]) {
        self.phone = phone
        self.headUnit = headUnit
        self.exporter = exporter
    }
}

/// One end of one pairing (spec 4.4 and 4.5), without I/O. The code is right exactly when both ends finish.
///
///     phone                              head unit
///     start() ------ PairStart ------->  receive: an attempt is spent here, before the reply
///     receive <----- PairReply --------    (it lets the phone test one guess)
///             ------ PairConfirm ----->  receive -> finished: pins the phone's key
///     receive <----- PairDone ---------
///     -> finished: pins the head unit's key
public struct PairingExchange {
    /// Which end this is.
    public enum Role: Sendable { case phone, headUnit }

    /// A message for the control channel.
    public struct Message: Sendable, Equatable {
        /// A `MessageType`.
        public let type: UInt16
        /// Encoded Protocol Buffers.
        public let body: [UInt8]
    }

    /// What to do next.
    public enum Step: Sendable, Equatable {
        case send(Message)
        /// The codes were the same: pin the peer, then send `last` if there is one.
        case finished(peerName: String, last: Message?)
        case failed(PairingError)
    }

    /// Bytes of UTF-8 (MAX_NAME).
    public static let maximumNameLength = 64

    private enum State {
        case idle
        case started(SPAKE2)
        case confirming(expected: [UInt8], peerName: String)
        case ended
    }

    private let role: Role
    private let code: PairingCode
    private let name: String
    private let binding: PairingBinding
    private var state = State.idle

    /// - Parameter name: what the peer will call this end.
    public init(_ role: Role, code: PairingCode, name: String, binding: PairingBinding) {
        self.role = role
        self.code = code
        self.name = name
        self.binding = binding
    }

    /// Phone: the first message. Takes some 40 ms.
    public mutating func start() -> Step {
        guard role == .phone, case .idle = state else { return fail(.unexpectedMessage, .remote, "the pairing was started twice") }
        var salt = [UInt8](repeating: 0, count: PairingCode.saltSize)
        guard RAND_bytes(&salt, Int32(salt.count)) == 1, let spake = try? SPAKE2(.a, w: code.scalar(salt: salt)) else { return libraryFailed() }
        state = .started(spake)
        return .send(message(MessageType.pairStart, PairStart.with { $0.share = Data(spake.share); $0.name = name; $0.salt = Data(salt) }))
    }

    /// Whether `message` is a PairStart worth an attempt, in microseconds: lets the head unit count before it computes.
    public static func isWellFormedStart(_ type: UInt16, _ body: [UInt8]) -> Bool {
        type == MessageType.pairStart && decodeStart(body) != nil
    }

    /// A message of the peer. On the head unit PairStart takes some 40 ms.
    public mutating func receive(_ type: UInt16, _ body: [UInt8]) -> Step {
        switch (role, state, type) {
        case (.headUnit, .idle, MessageType.pairStart): reply(body)
        case (.phone, .started(let spake), MessageType.pairReply): confirm(spake, body)
        case (.headUnit, .confirming(let expected, let peerName), MessageType.pairConfirm): finish(expected, peerName, body)
        case (.phone, .confirming(_, let peerName), MessageType.pairDone): finished(peerName)
        default: fail(.unexpectedMessage, .remote, "the peer sent message 0x\(String(type, radix: 16)) out of turn")
        }
    }

    // MARK: - Head unit

    private mutating func reply(_ body: [UInt8]) -> Step {
        guard let (start, share) = Self.decodeStart(body) else { return malformed() }
        guard let spake = try? SPAKE2(.b, w: code.scalar(salt: Array(start.salt))) else { return libraryFailed() }
        guard let outcome = try? finish(spake, share) else { return wrongCode() } // K is the identity (P-8)
        state = .confirming(expected: outcome.confirmationA, peerName: start.name)
        return .send(message(MessageType.pairReply, PairReply.with {
            $0.share = Data(spake.share)
            $0.confirmation = Data(outcome.confirmationB)
            $0.name = name
        }))
    }

    private mutating func finish(_ expected: [UInt8], _ peerName: String, _ body: [UInt8]) -> Step {
        guard let confirm = try? PairConfirm(serializedBytes: body), confirm.confirmation.count == expected.count else { return malformed() }
        guard SymmetricCrypto.equal(Array(confirm.confirmation), expected) else { return wrongCode() }
        state = .ended
        return .finished(peerName: peerName, last: message(MessageType.pairDone, PairDone()))
    }

    // MARK: - Phone

    private mutating func confirm(_ spake: SPAKE2, _ body: [UInt8]) -> Step {
        guard let reply = try? PairReply(serializedBytes: body), Self.isName(reply.name), reply.confirmation.count == 32 else { return malformed() }
        let share = Array(reply.share)
        guard SPAKE2.point(share) != nil else { return malformed() }
        guard let outcome = try? finish(spake, share) else { return wrongCode() } // K is the identity (P-8)
        guard SymmetricCrypto.equal(Array(reply.confirmation), outcome.confirmationB) else { return wrongCode() }
        state = .confirming(expected: [], peerName: reply.name)
        return .send(message(MessageType.pairConfirm, PairConfirm.with { $0.confirmation = Data(outcome.confirmationA) }))
    }

    private mutating func finished(_ peerName: String) -> Step {
        state = .ended
        return .finished(peerName: peerName, last: nil)
    }

    // MARK: - Both

    private static func decodeStart(_ body: [UInt8]) -> (PairStart, share: [UInt8])? {
        guard let start = try? PairStart(serializedBytes: body), start.salt.count == PairingCode.saltSize, isName(start.name) else { return nil }
        let share = Array(start.share)
        return SPAKE2.point(share) == nil ? nil : (start, share)
    }

    private static func isName(_ name: String) -> Bool { name.utf8.count <= maximumNameLength }

    private func finish(_ spake: SPAKE2, _ share: [UInt8]) throws(P256.Failed) -> SPAKE2.Outcome {
        try spake.finish(peerShare: share, identityA: binding.phone, identityB: binding.headUnit, aad: binding.exporter)
    }

    private func message(_ type: UInt16, _ body: some SwiftProtobuf.Message) -> Message {
        // These messages have no required fields, the one thing that could make it throw.
        Message(type: type, body: (try? body.serializedBytes()) ?? [])
    }

    private mutating func wrongCode() -> Step { fail(.wrongCode, .user, "the code is wrong") }
    private mutating func malformed() -> Step { fail(.malformed, .remote, "the peer sent a pairing message that breaks the rules") }
    private mutating func libraryFailed() -> Step { fail(.libraryFailed, .library, "the pairing could not be computed") }

    private mutating func fail(_ code: PairingError.Code, _ initiator: PairingError.Initiator, _ text: String) -> Step {
        state = .ended
        return .failed(PairingError(code, initiator, text))
    }
}

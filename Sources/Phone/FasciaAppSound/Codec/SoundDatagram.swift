import SwiftProtobuf

/// One datagram between an app and the phone; each direction is a type of its own.
public protocol SoundDatagram: Sendable, Equatable {
    /// Reads the body of a datagram.
    /// - Returns: nil for a kind this direction does not have; such a datagram is ignored ([SD-4]).
    static func decode(_ kind: SoundKind, _ body: SoundBody) throws(SoundDatagramError) -> Self?
    var kind: SoundKind { get }
    var content: SoundContent { get }
}

/// What follows the kind byte.
public enum SoundContent {
    case message(any Message)
    case packet(SoundPacket)
}

extension SoundDatagram {
    /// - Returns: nil for a datagram that is to be ignored.
    public static func decode(_ bytes: [UInt8]) throws(SoundDatagramError) -> Self? {
        guard let first = bytes.first else { throw SoundDatagramError(.empty, "a datagram of no bytes") }
        guard bytes.count <= SoundLimits.datagram else { throw SoundDatagramError(.tooLarge, "\(bytes.count) bytes") }
        guard let kind = SoundKind(rawValue: first) else { return nil }
        return try decode(kind, SoundBody(bytes))
    }

    /// - Throws: `.tooLarge`, `.shortPacket` for what the other end would not take.
    public func encoded() throws(SoundDatagramError) -> [UInt8] {
        var bytes = [kind.rawValue]
        switch content {
        case .packet(let packet):
            guard packet.samples.count <= SoundLimits.packet else { throw SoundDatagramError(.tooLarge, "\(packet.samples.count) bytes of sound") }
            guard !packet.samples.isEmpty else { throw SoundDatagramError(.shortPacket, "no sound") }
            bytes.reserveCapacity(1 + SoundPacketHeader.size + packet.samples.count)
            packet.header.append(to: &bytes)
            bytes += packet.samples
        case .message(let message):
            do { bytes += try message.serializedBytes() as [UInt8] } catch { throw SoundDatagramError(.malformed, "\(error)") }
            guard bytes.count <= SoundLimits.datagram else { throw SoundDatagramError(.tooLarge, "\(bytes.count) bytes") }
        }
        return bytes
    }
}

/// A datagram's bytes after its kind.
public struct SoundBody: Sendable {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func message<M: Message>(_ type: M.Type = M.self) throws(SoundDatagramError) -> M {
        do { return try M(serializedBytes: Array(bytes.dropFirst())) } catch { throw SoundDatagramError(.malformed, "\(M.protoMessageName): \(error)") }
    }

    func packet() throws(SoundDatagramError) -> SoundPacket {
        guard let header = SoundPacketHeader(bytes, at: 1) else { throw SoundDatagramError(.shortPacket, "\(bytes.count) bytes") }
        let samples = Array(bytes[(1 + SoundPacketHeader.size)...])
        guard !samples.isEmpty else { throw SoundDatagramError(.shortPacket, "no sound") }
        guard samples.count <= SoundLimits.packet else { throw SoundDatagramError(.tooLarge, "\(samples.count) bytes of sound") }
        return SoundPacket(header, samples: samples)
    }
}

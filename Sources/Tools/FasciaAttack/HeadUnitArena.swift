import FasciaRawPeer
import FasciaTLS
import FasciaWire
import FixtureSupport
import Glibc

/// Where an attack on a head unit takes place: its address, a key the target may know, and until when. Used by several threads at a time.
final class HeadUnitArena: Sendable {
    let address: Endpoint
    /// PEM of a key that was paired with the target; nil when none was.
    let paired: [UInt8]?
    let fixtures: [Fixture]
    let deadline: ContinuousClock.Instant
    let tally = Tally()

    init(address: Endpoint, paired: [UInt8]?, fixtures: [Fixture], deadline: ContinuousClock.Instant) {
        (self.address, self.paired, self.fixtures, self.deadline) = (address, paired, fixtures, deadline)
    }

    var isOver: Bool { ContinuousClock.now >= deadline }

    func socket() throws -> PlainSocket {
        let socket = try PlainSocket.connect(to: address, within: .seconds(5))
        tally.connection()
        return socket
    }

    /// Past TLS as the paired phone, ready for anything.
    func insider(_ edit: (inout TLSOffer) -> Void = { _ in }) throws -> Peer {
        var offer = TLSOffer(identity: paired)
        edit(&offer)
        let peer = Peer(try SecureSocket.connect(try socket(), offer, within: .seconds(5)))
        peer.answersProbes = false
        return peer
    }

    /// Past TLS for pairing, with a key of the moment.
    func stranger() throws -> Peer {
        var offer = TLSOffer(identity: try Identity.generate().pem())
        offer.protocols = [ALPN.pairing]
        return Peer(try SecureSocket.connect(try socket(), offer, within: .seconds(5)))
    }

    /// As the paired phone past Hello; whether there is a Welcome depends on who else is connected.
    func greeted(_ edit: (inout Hello) -> Void = { _ in }) throws -> Peer {
        let peer = try insider()
        try peer.message(0, MessageType.hello, HeadUnitRig.hello(edit))
        return peer
    }

    func send(_ bytes: [UInt8], to peer: Peer) throws {
        try peer.send(bytes)
        tally.sent(bytes.count)
        if peer.isOver { throw Deviation("turned away") }
    }

    /// As much as the socket takes at once; false when it takes nothing or is gone.
    func send(_ bytes: [UInt8], on socket: PlainSocket) -> Bool {
        let count = bytes.withUnsafeBytes { Glibc.send(socket.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        if count > 0 { tally.sent(count) }
        return count > 0
    }

    /// Sleeps, but not beyond the end.
    func pause(_ duration: Duration) {
        let end = min(ContinuousClock.now + duration, deadline)
        while ContinuousClock.now < end { usleep(UInt32(clamping: Int64(min(ContinuousClock.now.duration(to: end), .milliseconds(50)) / .microseconds(1)))) }
    }
}

/// Damages bytes the way transmission, bugs and malice do.
enum Mutation {
    static func of(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...6) where !bytes.isEmpty {
            let at = Int.random(in: 0..<bytes.count)
            switch Int.random(in: 0..<6) {
            case 0: bytes[at] ^= 1 << UInt8.random(in: 0..<8)
            case 1: bytes[at] = .random(in: 0...255)
            case 2: bytes.insert(.random(in: 0...255), at: at)
            case 3: bytes.remove(at: at)
            case 4: bytes.removeSubrange(at..<min(bytes.count, at + Int.random(in: 1...64)))
            default:
                let piece = Array(bytes[at..<min(bytes.count, at + Int.random(in: 1...64))])
                bytes.insert(contentsOf: piece, at: Int.random(in: 0...bytes.count))
            }
        }
        return bytes
    }

    static func noise(_ count: Int) -> [UInt8] { (0..<count).map { _ in .random(in: 0...255) } }
}

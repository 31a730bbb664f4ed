import FasciaRawPeer
import FasciaWire
import FixtureSupport
import Glibc

/// Where an attack on a phone takes place: a car that it connects to, again and again.
final class PhoneArena: @unchecked Sendable { // one thread: the phone has one connection at a time
    let rig: PhoneRig
    let deadline: ContinuousClock.Instant
    let tally = Tally()

    init(_ rig: PhoneRig, deadline: ContinuousClock.Instant) { (self.rig, self.deadline) = (rig, deadline) }

    var isOver: Bool { ContinuousClock.now >= deadline }
    var fixtures: [Fixture] { rig.fixtures }

    func socket() throws -> PlainSocket {
        let socket = try rig.socket()
        tally.connection()
        return socket
    }

    func greeted() throws -> (peer: Peer, hello: Hello) {
        let greeted = try rig.greeted()
        greeted.peer.answersProbes = true
        tally.connection()
        return greeted
    }

    func session(_ edit: (inout Welcome) -> Void = { _ in }) throws -> Peer {
        let (peer, hello) = try greeted()
        try peer.message(0, MessageType.welcome, PhoneRig.welcome(hello, edit))
        return peer
    }

    func send(_ bytes: [UInt8], to peer: Peer) throws {
        try peer.send(bytes)
        tally.sent(bytes.count)
        if peer.isOver { throw Deviation("turned away") }
    }
}

import FasciaPairing
import FasciaProcesses
import FasciaRawPeer
import FasciaWire
import FixtureSupport
import Foundation
import Synchronization

/// Every attack on one target, one after the other; after each an honest peer asks whether it still answers.
public struct AttackCampaign: Sendable {
    public enum Target: String, Sendable, CaseIterable { case headunit, phone }

    let target: Target
    let address: Endpoint
    let code: PairingCode?
    let fixtures: URL
    let watched: Int32?

    /// - Parameters:
    ///   - address: of the head unit; for a phone, where to wait for it.
    ///   - code: with it the attacker pairs first, and does what only a paired peer can.
    ///   - watched: process of the target on this machine, whose memory is looked at.
    package init(_ target: Target, address: Endpoint, code: PairingCode?, fixtures: URL, watched: Int32?) {
        (self.target, self.address, self.code, self.fixtures, self.watched) = (target, address, code, fixtures, watched)
    }

    public static func list(_ target: Target) -> [AttackSummary] {
        func summary<A>(_ attack: Attack<A>) -> AttackSummary { AttackSummary(name: attack.name, stage: attack.stage.rawValue, what: attack.what) }
        return switch target {
        case .headunit: onHeadUnit.map(summary)
        case .phone: onPhone.map(summary)
        }
    }

    static let onHeadUnit = Attack.network + Attack.stranger + Attack.paired + Attack.sound + [Attack.guesses]
    static let onPhone = Attack<PhoneArena>.all + Attack<PhoneArena>.sound

    /// - Parameters:
    ///   - seconds: for each attack.
    ///   - onResult: told each as it ends.
    ///   - attacker: a key that was paired before; nil pairs one now, where a code was given.
    public func run(only: [String], seconds: Double, attacker: Attacker? = nil, onStart: (AttackSummary) -> Void, onResult: (AttackResult) -> Void) throws -> [AttackResult] {
        let vectors = try Fixture.load(from: fixtures)
        switch target {
        case .headunit:
            let key = try attacker?.pem ?? (code == nil ? nil : paired().pem)
            return campaign(Self.onHeadUnit.filter { key != nil || $0.stage != .paired }, only, seconds, onStart, onResult) {
                HeadUnitArena(address: address, paired: key, fixtures: vectors, deadline: $0)
            } tally: { $0.tally } isOver: { $0.isOver } isAnswered: { try answered(key) }
        case .phone:
            guard let code else { throw ToolError("a phone is attacked by a car it is paired with: --code DIGITS") }
            let rig = try PhoneRig(address: address, code: code, fixtures: vectors)
            try rig.pair()
            rig.settle()
            return campaign(Self.onPhone, only, seconds, onStart, onResult) {
                PhoneArena(rig, deadline: $0)
            } tally: { $0.tally } isOver: { $0.isOver } isAnswered: {
                rig.settle()
                _ = try rig.session().peer.expect(MessageType.commit, within: .seconds(10))
                rig.settle()
            }
        }
    }

    /// A phone's key, known to the head unit.
    public struct Attacker: Sendable { let pem: [UInt8] }

    /// Pairs with the head unit.
    public func paired() throws -> Attacker {
        guard let code else { throw ToolError("pairing needs the head unit's code") }
        let rig = try HeadUnitRig(address: address, code: code, fixtures: [])
        try rig.pair()
        rig.settle()
        return Attacker(pem: rig.identity)
    }

    /// A paired phone gets Welcome or BUSY, a stranger is turned away; both is an answer.
    private func answered(_ key: [UInt8]?) throws {
        let deadline = ContinuousClock.now + .seconds(10)
        let offer = TLSOffer(identity: key)
        let peer = Peer(try SecureSocket.connect(try .connect(to: address, within: .seconds(10)), offer, within: .seconds(10)))
        if key != nil { try peer.message(0, MessageType.hello, HeadUnitRig.hello()) }
        while let arrival = try peer.next(until: deadline) {
            switch arrival {
            case .message(0, MessageType.welcome, _), .close(.busy, _): return peer.goodbye()
            case .ended where key == nil: return
            case .close(let code, let detail): throw Deviation("closed with \(code) (\(detail))")
            case .ended(let how): throw Deviation(how)
            default: continue
            }
        }
        throw Deviation("no answer")
    }

    private func campaign<Arena>(
        _ attacks: [Attack<Arena>], _ only: [String], _ seconds: Double, _ onStart: (AttackSummary) -> Void, _ onResult: (AttackResult) -> Void,
        arena make: (ContinuousClock.Instant) -> Arena, tally: @escaping @Sendable (Arena) -> Tally, isOver: @escaping @Sendable (Arena) -> Bool, isAnswered: () throws -> Void
    ) -> [AttackResult] where Arena: Sendable {
        let memory = watched.map { ResidentMemory(pid: $0) }
        return attacks.filter { only.isEmpty || only.contains($0.name) }.map { attack in
            onStart(AttackSummary(name: attack.name, stage: attack.stage.rawValue, what: attack.what))
            let before = memory?.read()
            _ = memory?.takePeak()
            let start = ContinuousClock.now
            let arena = make(start + .seconds(seconds))
            let threads = (0..<(target == .phone ? 1 : attack.workers)).map { _ in
                WorkingThread {
                    while !isOver(arena) {
                        do { try attack.round(arena) } catch { usleep(1_000) } // refused: what should happen
                        tally(arena).round()
                    }
                }
            }
            while threads.contains(where: { !$0.isDone }) {
                _ = memory?.read()
                usleep(20_000)
            }
            let took = start.duration(to: .now) / .seconds(1)
            let asked = ContinuousClock.now
            var waited: Double?
            if (try? isAnswered()) != nil { waited = asked.duration(to: .now) / .milliseconds(1) }
            let counts = tally(arena).values
            let result = AttackResult(
                name: attack.name, stage: attack.stage.rawValue, what: attack.what, seconds: (took * 10).rounded() / 10, rounds: counts.rounds,
                connections: counts.connections, bytesSent: counts.bytes, answeredAfterMs: waited.map { ($0 * 10).rounded() / 10 }, residentBefore: before,
                residentPeak: memory.map { $0.takePeak() }, residentAfter: memory?.read(), survived: waited != nil && memory?.isAlive != false)
            onResult(result)
            return result
        }
    }
}

/// A thread that tells when it is done: attacks block, which threads of the concurrency pool must not.
private final class WorkingThread: Sendable {
    private let done = Atomic(false)
    var isDone: Bool { done.load(ordering: .acquiring) }

    init(_ body: @escaping @Sendable () -> Void) {
        Thread.detachNewThread { [self] in
            body()
            done.store(true, ordering: .releasing)
        }
    }
}

import FasciaCompositor
import FasciaRawPeer
import FasciaWire
import Foundation

extension PhoneCases {
    /// Section 8.7.
    static let sessions: [Case<PhoneRig>] = [
        Case("8.7", "R-1", title: "a broken connection's session is offered with its last token") { rig in
            let (first, _, welcome) = try shown(rig)
            cut(first)
            let (_, hello) = try rig.greeted()
            if hello.resume.sessionID != welcome.sessionID || hello.resume.token != welcome.resumeToken { throw Deviation("session or token are not those of the last Welcome") }
        },
        Case("8.7", "R-4", title: "without resumed everything starts anew") { rig in
            let (first, _, _) = try shown(rig)
            cut(first)
            let (second, _, _) = try rig.session()
            let content = try display(second)
            if content.commit.sequence != 1 { throw Deviation("the first commit of the new session is number \(content.commit.sequence)") }
            if let missing = content.named.first(where: { !content.sent.contains($0) }) { throw Deviation("the commit names resource \(missing), which this session never got") }
        },
        Case("8.7", "R-6", "R-7", title: "resources above highest_resource are sent again under higher ids before they are used") { rig in
            let (first, _, welcome) = try rig.session()
            let before = try display(first)
            try first.expectAlive()
            cut(first) // nothing was presented, so the phone knows of nothing that arrived
            let highest = before.sent.min() ?? 0 // as if all but the first had been lost
            let (second, hello) = try rig.greeted()
            guard hello.hasResume else { throw Deviation("the session was not offered") }
            try second.message(0, MessageType.welcome, PhoneRig.welcome(hello) {
                $0.sessionID = welcome.sessionID
                $0.resumed = .with { $0.highestResource = highest }
            })
            let after = try display(second)
            if let low = after.sent.first(where: { $0 <= highest }) { throw Deviation("resource \(low) was sent again under an id not above \(highest)") }
            if let missing = after.named.first(where: { $0 > highest && !after.sent.contains($0) }) { throw Deviation("the commit names resource \(missing), which was lost") }
        },
        Case("8.7", "R-13", title: "an attempt closed with SUPERSEDED does not end the session of the connection that lives") { rig in
            let (living, _, _) = try shown(rig) { $0.liveness.probeIntervalMs = 100 }
            try living.expectAlive()
            _ = try living.collect(for: .milliseconds(400)) // a round trip is known
            living.answersProbes = false
            guard let (attempt, _) = try? rig.greeted(within: .milliseconds(1_000)) else { return } // racing is an allowance
            attempt.goodbye(.superseded)
            living.answersProbes = true
            try living.expectAlive()
            _ = try living.collect(for: .milliseconds(500))
            try living.expectAlive()
        },
        Case("8.7", "R-9", title: "a race has its flight on one connection at a time, and breaks that one off before it is offered on another") { rig in
            let (first, _, _) = try shown(rig)
            cut(first)
            let (silent, hello) = try rig.greeted()
            guard let (second, again) = try? rig.greeted(within: .seconds(4)) else { return } // it need not race
            if again.resume.token != hello.resume.token { throw Deviation("one attempt offers two tokens") }
            try silent.expectEnd(within: .milliseconds(200))
            try second.message(0, MessageType.welcome, PhoneRig.welcome(again))
            _ = try display(second)
        },
        Case("8.7", "R-9", title: "a race that is won ends: what is under way is abandoned, and nothing new begins") { rig in
            let (first, _, _) = try shown(rig)
            cut(first)
            let (second, hello) = try rig.greeted()
            try second.message(0, MessageType.welcome, PhoneRig.welcome(hello))
            _ = try display(second)
            // What had reached this end's kernel before the phone had its Welcome is still given out.
            for stale in rig.waiting() where !stale.ends(within: Peer.patience) { throw Deviation("a connection of the race is open although another has won") }
            for turn in 1...10 {
                try second.expectAlive()
                _ = rig.waiting()
                let arrivals = try second.collect(for: .milliseconds(600))
                if rig.waiting().isEmpty { return try second.expectAlive() }
                // The answer to a probe may have been late (LATE_MINIMUM is 20 ms), and a new race right: nothing is said about that time.
                if turn == 10 || !arrivals.contains(where: { if case .probe = $0 { true } else { false } }) { throw Deviation("the phone dialled on after it had its Welcome") }
            }
        },
        Case("8.7", "R-4", title: "a session that was not offered cannot be resumed") { rig in
            let (peer, hello) = try rig.greeted()
            try peer.message(0, MessageType.welcome, PhoneRig.welcome(hello) { $0.resumed = Resumed() })
            let deadline = ContinuousClock.now + Peer.patience
            while let arrival = try peer.next(until: deadline) { if case .close = arrival { return } }
            throw Deviation("the phone went along")
        },
    ]

    /// Section 10: what the phone sends.
    static let display: [Case<PhoneRig>] = [
        Case("10.2", "D-2", "D-3", "D-4", "D-5", title: "resources and the commit that shows them keep every rule a head unit checks") { rig in
            let (peer, _, _) = try rig.session()
            _ = try display(peer, applyingTo: LayerScene(limits: DisplayLimits()))
        },
        Case("10.4", "D-7", "D-9", title: "the first commit is number 1 and names only what was sent") { rig in
            let (peer, _, _) = try rig.session()
            let content = try display(peer)
            if content.commit.sequence != 1 { throw Deviation("the first commit is number \(content.commit.sequence)") }
            if let missing = content.named.first(where: { !content.sent.contains($0) }) { throw Deviation("resource \(missing) was never sent") }
        },
        Case("9.4", "I-1", title: "events of contacts it does not know are tolerated") { rig in
            let (peer, _, _) = try shown(rig)
            try peer.message(1, MessageType.touch, TouchEvent.with {
                $0.sequence = 1
                $0.contact = 77
                $0.phase = .moved
                ($0.x, $0.y) = (-5, 9_000)
            })
            try peer.expectAlive()
        },
    ]

    /// What came on the display channel up to the first commit.
    struct Content {
        var sent: [UInt32] = []
        var commit = Commit()
        var named: [UInt32] { commit.upsert.map(\.image.resource).filter { $0 != 0 } }
    }

    /// - Parameter scene: applies what comes, as a head unit does; nil where its resources came on an earlier connection.
    static func display(_ peer: Peer, applyingTo scene: LayerScene? = nil) throws -> Content {
        var content = Content()
        let deadline = ContinuousClock.now + Peer.patience
        while let arrival = try peer.next(until: deadline) {
            switch arrival {
            case .message(16, MessageType.resource, let body):
                let id = try header(body).id
                if let last = content.sent.last, id <= last { throw Deviation("resource \(id) follows \(last)") }
                do { try scene?.resources.store(body) } catch { throw Deviation("resource \(id): \(error)") }
                content.sent.append(id)
            case .message(16, MessageType.commit, let body):
                content.commit = try Commit(serializedBytes: body)
                do { try scene?.apply(content.commit) } catch { throw Deviation("commit \(content.commit.sequence): \(error)") }
                return content
            case .close(let code, let detail): throw Deviation("closed with \(code) (\(detail))")
            case .ended(let how): throw Deviation("ended: \(how)")
            default: continue
            }
        }
        throw Deviation("no commit came")
    }

    private static func header(_ body: [UInt8]) throws -> ResourceHeader {
        do { return try ResourceHeader(decoding: body) } catch { throw Deviation("a resource's header: \(error)") }
    }

    /// A session whose first commit was presented.
    static func shown(_ rig: PhoneRig, _ edit: (inout Welcome) -> Void = { _ in }) throws -> (peer: Peer, hello: Hello, welcome: Welcome) {
        let (peer, hello, welcome) = try rig.session(edit)
        let content = try display(peer)
        try peer.message(16, MessageType.presented, Presented.with { $0.sequence = content.commit.sequence })
        try peer.expectAlive()
        return (peer, hello, welcome)
    }

    /// Breaks a connection without a word.
    static func cut(_ peer: Peer) { peer.abandon() }
}

import COpenSSL
import FasciaRawPeer
import FasciaTLS
import FasciaWire
import Foundation

extension HeadUnitCases {
    /// Sections 8.7 and 9.1, beside the vectors.
    static let sessions: [Case<HeadUnitRig>] = [
        Case("8.7", "R-2", "R-3", "R-4", "R-5", title: "a broken connection's session is resumed with its token, which then is used up") { rig in
            let (old, first) = try shown(rig)
            old.abandon()
            let (new, second) = try rig.session { offer(&$0, first) }
            if !second.hasResumed || second.sessionID != first.sessionID { throw Deviation("not resumed") }
            if second.resumed.presentedSequence < 1 { throw Deviation("the commit shown before is not named") }
            if second.resumeToken == first.resumeToken { throw Deviation("the same token again") }
            try new.expectAlive() // heard on the new connection: the old token is void
            // A new session, or SUPERSEDED as from an attempt given up; never this session once more.
            let third = try rig.raw()
            var hello = HeadUnitRig.hello()
            offer(&hello, first)
            try third.message(0, MessageType.hello, hello)
            while let arrival = try third.next(within: Peer.patience) {
                switch arrival {
                case .close(.superseded, _): return try new.expectAlive()
                case .message(0, MessageType.welcome, let body):
                    if try Welcome(serializedBytes: body).hasResumed { throw Deviation("a token was accepted twice") }
                    return
                case .close(let code, let detail): throw Deviation("closed with \(code) (\(detail))")
                case .ended(let how): throw Deviation("ended: \(how)")
                default: continue
                }
            }
            throw Deviation("no answer")
        },
        Case("8.7", "R-2", title: "a wrong token, or one of another length, gets a new session") { rig in
            for token in [Data(repeating: 1, count: 32), Data(count: 5), Data(count: 100)] {
                let (peer, first) = try shown(rig)
                peer.abandon()
                let (_, second) = try rig.session {
                    $0.resume.sessionID = first.sessionID
                    $0.resume.token = token
                }
                if second.hasResumed { throw Deviation("a token of \(token.count) wrong bytes was accepted") }
            }
        },
        Case("8.7", "R-2", title: "another phone cannot resume a session") { rig in
            let other = try Identity.generate().pem()
            try rig.pair(identity: other)
            let (peer, first) = try shown(rig)
            peer.abandon()
            let thief = try rig.raw { $0.identity = other }
            var hello = HeadUnitRig.hello()
            offer(&hello, first)
            try thief.message(0, MessageType.hello, hello)
            while let arrival = try thief.next(within: Peer.patience) {
                switch arrival {
                case .close(.busy, _): return
                case .message(_, MessageType.welcome, let body):
                    if try Welcome(serializedBytes: body).hasResumed { throw Deviation("resumed") }
                    return
                default: continue
                }
            }
            throw Deviation("no answer")
        },
        Case("8.7", "R-9", title: "a newer connection of the same phone closes the older with SUPERSEDED") { rig in
            let (old, first) = try shown(rig)
            let (new, second) = try rig.session { offer(&$0, first) }
            if !second.hasResumed { throw Deviation("not resumed") }
            try old.expectClose(.superseded)
            try new.expectAlive()
        },
        Case("8.7", "R-10", title: "while another phone is connected it is BUSY") { rig in
            let other = try Identity.generate().pem()
            try rig.pair(identity: other)
            _ = try shown(rig)
            let second = try rig.raw { $0.identity = other }
            try second.message(0, MessageType.hello, HeadUnitRig.hello())
            try second.expectClose(.busy)
        },
        Case("8.7", "R-8", "R-11", "R-12", title: "messages of a session that does not go on are dropped until Proceed") { rig in
            let peer = try rig.raw()
            var hello = HeadUnitRig.hello()
            hello.resume.sessionID = Data(repeating: 1, count: 16)
            hello.resume.token = Data(repeating: 2, count: 32)
            hello.resume.speculative = true
            try peer.message(0, MessageType.hello, hello)
            // Nonsense for a new session: it must not even be looked at.
            try peer.message(16, MessageType.commit, Commit.with { $0.sequence = 77; $0.upsert = [.with { $0.id = 1; $0.image = .with { $0.resource = 99 } }] })
            if try peer.expect(Welcome.self, MessageType.welcome).hasResumed { throw Deviation("a session that never was is resumed") }
            try peer.message(16, MessageType.commit, Commit.with { $0.sequence = 78 })
            try peer.message(0, MessageType.proceed, [])
            try peer.message(16, MessageType.commit, Commit.with { $0.sequence = 1 })
            try VectorCases.presented(peer, 1)
            try peer.message(0, MessageType.proceed, [])
            try peer.expectClose(.illegalMessage)
        },
        Case("8.7", "R-8", "R-14", title: "what was said before Welcome and is overtaken is ignored") { rig in
            let (_, first) = try shown(rig)
            let peer = try rig.raw()
            var hello = HeadUnitRig.hello()
            offer(&hello, first)
            hello.resume.speculative = true
            try peer.message(0, MessageType.hello, hello)
            // The connection before has shown 1; it could not be applied in any case.
            try peer.message(16, MessageType.commit, Commit.with { $0.sequence = 1; $0.upsert = [.with { $0.id = 1; $0.image = .with { $0.resource = 99 } }] })
            let welcome = try peer.expect(Welcome.self, MessageType.welcome)
            if !welcome.hasResumed || welcome.resumed.presentedSequence != 1 { throw Deviation("commit 1 of the session is not gone on from") }
            try peer.message(16, MessageType.commit, Commit.with { $0.sequence = 2; $0.reset = true })
            try VectorCases.presented(peer, 2)
            try peer.message(16, MessageType.commit, Commit.with { $0.sequence = 2; $0.reset = true })
            try peer.expectClose(.badCommit)
        },
        Case("8.7", "R-8", "R-15", title: "resources said before Welcome count; what other connections have brought or overtaken is ignored") { rig in
            func flight(_ last: Welcome, _ presented: UInt32, _ resource: UInt32, _ commit: Commit) throws -> (Peer, Welcome) {
                let peer = try rig.raw()
                var hello = HeadUnitRig.hello()
                offer(&hello, last)
                hello.resume.presentedSequence = presented
                hello.resume.speculative = true
                try peer.message(0, MessageType.hello, hello)
                try peer.message(16, MessageType.resource, dot(resource))
                try peer.message(16, MessageType.commit, commit)
                let welcome = try peer.expect(Welcome.self, MessageType.welcome)
                if !welcome.hasResumed { throw Deviation("not resumed") }
                return (peer, welcome)
            }
            func naming(_ resource: UInt32, _ sequence: UInt32) -> Commit {
                .with { $0.sequence = sequence; $0.reset = true; $0.upsert = [.with { $0.id = 1; $0.width = 1; $0.height = 1; $0.image = .with { $0.resource = resource } }] }
            }
            let (old, first) = try shown(rig)
            old.abandon()
            // Ids need not follow each other.
            let (one, second) = try flight(first, 1, 5, naming(5, 2))
            if second.resumed.highestResource != 0 || second.resumed.presentedSequence != 1 { throw Deviation("Welcome tells what was not there before it") }
            try VectorCases.presented(one, 2)
            try one.expectAlive()
            one.abandon()
            // The same again, of another connection of the race: it is there, and a commit that goes on counts.
            let (two, third) = try flight(second, 2, 5, naming(5, 3))
            if third.resumed.highestResource != 5 { throw Deviation("resource 5 is there, and Welcome says \(third.resumed.highestResource)") }
            try VectorCases.presented(two, 3)
            try two.expectAlive()
            two.abandon()
            // Made before 5 was given: nothing of it counts, and nothing of it is a fault.
            let (three, _) = try flight(third, 3, 4, naming(4, 4))
            try three.expectAlive()
            try three.message(16, MessageType.commit, naming(5, 4))
            try VectorCases.presented(three, 4)
            try three.message(16, MessageType.resource, dot(4))
            try three.expectClose(.badResource)
        },
        Case("8.7", "R-9", title: "an offer that was answered a moment ago waits, and is answered when that connection is gone") { rig in
            let (old, first) = try shown(rig)
            old.abandon()
            var hello = HeadUnitRig.hello()
            offer(&hello, first)
            let one = try rig.raw()
            one.answersProbes = false // else the head unit knows that its Welcome has come
            let start = ContinuousClock.now
            try one.message(0, MessageType.hello, hello)
            if try !one.expect(Welcome.self, MessageType.welcome).hasResumed { throw Deviation("not resumed") }
            let two = try rig.raw()
            try two.message(0, MessageType.hello, hello)
            if case .message(0, MessageType.welcome, _)? = try two.next(within: .milliseconds(60)) {
                guard start.duration(to: .now) < .milliseconds(120) else { return } // a busy machine: it was no moment any more
                throw Deviation("two connections were welcomed with one token at a time")
            }
            one.abandon()
            let welcome = try two.expect(Welcome.self, MessageType.welcome)
            if !welcome.hasResumed || welcome.sessionID != first.sessionID { throw Deviation("the session did not go on") }
            try two.expectAlive()
        },
        Case("8.7", "R-8", title: "display messages before Welcome beside an offer to resume that is not speculative are ILLEGAL_MESSAGE") { rig in
            let peer = try rig.raw()
            var hello = HeadUnitRig.hello()
            hello.resume.sessionID = Data(repeating: 1, count: 16)
            hello.resume.token = Data(repeating: 2, count: 32)
            let commit = Commit.with { $0.sequence = 1 }
            try peer.send(Peer.frames(0, MessageType.hello, try hello.serializedBytes()) + Peer.frames(16, MessageType.commit, try commit.serializedBytes()))
            try peer.expectClose(.illegalMessage)
        },
        Case("9", "X-3", title: "unknown fields are ignored") { rig in
            let peer = try rig.raw()
            let unknown: [UInt8] = [0xF8, 0x3F, 0x01, 0x82, 0x40, 0x02, 0xFF, 0xFE] // fields 1023 and 1024
            try peer.message(0, MessageType.hello, try HeadUnitRig.hello().serializedBytes() + unknown)
            _ = try peer.expect(MessageType.welcome)
        },
        Case("9.2", "W-1", "W-2", "W-3", "W-4", title: "Welcome keeps its rules") { rig in
            let (_, welcome) = try rig.session { $0.channels = [1, 4, 16, 17, 0x0A0A] }
            if welcome.sessionID.count != 16 || welcome.resumeToken.count != 32 { throw Deviation("session id or token of a wrong length") }
            let extra = Set(welcome.channels).subtracting([1, 4, 16, 17])
            if !extra.isEmpty { throw Deviation("channels \(extra.sorted()) were not asked for, or do not exist") }
            guard let screen = welcome.screens.first, (16...31).contains(screen.channel), welcome.channels.contains(screen.channel) else { throw Deviation("no screen on an open display channel") }
            if !(1...16_384).contains(screen.width) || !(1...16_384).contains(screen.height) || !(0.5...8).contains(screen.scale) { throw Deviation("a screen of \(screen.width) x \(screen.height) at \(screen.scale)") }
        },
    ]

    /// A session that has shown one commit.
    static func shown(_ rig: HeadUnitRig) throws -> (peer: Peer, welcome: Welcome) {
        let (peer, welcome) = try rig.session()
        try show(peer)
        return (peer, welcome)
    }

    /// A resource of one pixel.
    static func dot(_ id: UInt32) -> [UInt8] {
        let pixel: [UInt8] = [UInt8(truncatingIfNeeded: id)]
        var digest = [UInt8](repeating: 0, count: 32)
        SHA256([1, 0, 1, 0, 1] + pixel, 5 + pixel.count, &digest)
        return ResourceHeader(id: id, format: .a8, compression: .none, width: 1, height: 1, contentHash: Array(digest.prefix(16))).encoded + pixel
    }

    /// A first picture: a session without one need not be kept.
    static func show(_ peer: Peer) throws {
        try peer.message(16, MessageType.commit, Commit.with {
            $0.sequence = 1
            $0.background = 0x2040_80FF
        })
        try VectorCases.presented(peer, 1)
    }

    static func offer(_ hello: inout Hello, _ welcome: Welcome) {
        hello.resume.sessionID = welcome.sessionID
        hello.resume.token = welcome.resumeToken
        hello.resume.presentedSequence = 1
    }
}

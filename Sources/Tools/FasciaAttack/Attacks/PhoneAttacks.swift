import FasciaFraming
import FasciaRawPeer
import FasciaWire
import Foundation

extension Attack where Arena == PhoneArena {
    /// A car gone bad, against a phone.
    static let all: [Attack<PhoneArena>] = [
        Attack("no-tls", .network, "random bytes instead of TLS") { arena in
            let socket = try arena.socket()
            let noise = Mutation.noise(.random(in: 1...16_384))
            _ = noise.withUnsafeBytes { Glibc.send(socket.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            _ = socket.wait(until: .now + .milliseconds(50))
        },
        Attack("mute", .network, "accepts and says nothing") { arena in
            let socket = try arena.socket()
            _ = socket.wait(until: .now + .milliseconds(300))
            usleep(200_000)
        },
        Attack("mute-after-tls", .paired, "TLS, then silence instead of Welcome") { arena in
            let (peer, _) = try arena.greeted()
            _ = try peer.collect(for: .milliseconds(500))
        },
        Attack("mutated-sessions", .paired, "recorded sessions with damaged bytes") { arena in
            let vectors = arena.fixtures.filter { $0.kind == "session" && $0.entry["mode"]?.string == "session" && $0.entry["receiver"]?.string == "phone" }
            guard let vector = vectors.randomElement() else { return }
            let (peer, _) = try arena.greeted()
            try arena.send(Mutation.of(vector.bytes), to: peer)
            _ = try peer.collect(for: .milliseconds(30))
        },
        Attack("mutated-welcomes", .paired, "Welcomes with damaged bytes") { arena in
            let (peer, hello) = try arena.greeted()
            let body = try PhoneRig.welcome(hello).serializedBytes() as [UInt8]
            try arena.send(Peer.frames(0, MessageType.welcome, Mutation.of(body)), to: peer)
            _ = try peer.collect(for: .milliseconds(100))
        },
        Attack("giant-screens", .paired, "screens of 16,384 x 16,384 and 100,000 x 100,000 pixels at every scale") { arena in
            let peer = try arena.session {
                let isAllowed = Bool.random()
                $0.screens[0].width = isAllowed ? 16_384 : 100_000
                $0.screens[0].height = isAllowed ? [1, 600, 16_384].randomElement() ?? 1 : 100_000
                $0.screens[0].scale = [0.5, 1, 8].randomElement() ?? 1
            }
            _ = try peer.collect(for: .seconds(2))
        },
        Attack("input-flood", .paired, "touches, knob turns and keys as fast as credit allows") { arena in
            let peer = try arena.session()
            var sequence: UInt32 = 0
            let end = min(arena.deadline, .now + .seconds(5))
            while ContinuousClock.now < end {
                var frames: [UInt8] = []
                for _ in 0..<200 {
                    sequence += 1
                    let touch = TouchEvent.with { $0.sequence = sequence; $0.contact = .random(in: 0...9); $0.phase = [.began, .moved, .ended, .cancelled].randomElement() ?? .began; ($0.x, $0.y) = (.random(in: -100...900), .random(in: -100...600)) }
                    frames += Peer.frames(1, MessageType.touch, try touch.serializedBytes())
                }
                try arena.send(frames, to: peer)
                _ = try peer.collect(for: .milliseconds(5))
            }
        },
        Attack("day-and-night", .paired, "day and night in turn, without end") { arena in
            let peer = try arena.session()
            var night = false
            let end = min(arena.deadline, .now + .seconds(5))
            while ContinuousClock.now < end {
                night.toggle()
                try arena.send(Peer.frames(2, MessageType.vehicleState, try VehicleState.with { $0.night = night }.serializedBytes()), to: peer)
                _ = try peer.collect(for: .milliseconds(2))
            }
        },
        Attack("credit", .paired, "credit beyond every bound, for every channel") { arena in
            let peer = try arena.session()
            var frames: [UInt8] = []
            for _ in 0..<100 { FrameWriter.credit(.random(in: 0 ... .max), channel: [0, 1, 4, 16, .random(in: 0 ... .max)].randomElement() ?? 0, into: &frames) }
            try arena.send(frames, to: peer)
            _ = try peer.collect(for: .milliseconds(50))
        },
        Attack("false-presented", .paired, "Presented for commits that never were") { arena in
            let peer = try arena.session()
            for _ in 0..<1_000 { try arena.send(Peer.frames(16, MessageType.presented, try Presented.with { $0.sequence = .random(in: 0 ... .max); $0.timeNs = .random(in: 0 ... .max) }.serializedBytes()), to: peer) }
            _ = try peer.collect(for: .milliseconds(50))
        },
        Attack("false-resumes", .paired, "sessions resumed with resources and commits that never were") { arena in
            let peer = try arena.session()
            _ = try peer.expect(MessageType.commit, within: .seconds(5))
            peer.abandon()
            let (again, hello) = try arena.greeted()
            try again.message(0, MessageType.welcome, PhoneRig.welcome(hello) {
                if hello.hasResume { $0.sessionID = hello.resume.sessionID }
                $0.resumed = .with { $0.highestResource = .random(in: 0 ... .max); $0.presentedSequence = .random(in: 0 ... .max) }
            })
            _ = try again.collect(for: .milliseconds(200))
        },
        Attack("no-credit", .paired, "a car that never gives credit nor presents anything") { arena in
            let (peer, hello) = try arena.greeted()
            peer.givesCredit = false
            try peer.message(0, MessageType.welcome, PhoneRig.welcome(hello))
            _ = try peer.collect(for: .seconds(2))
        },
        Attack("probe-flood", .paired, "probes without end, whose answers are never read") { arena in
            let peer = try arena.session()
            let probes = (0..<1_000).flatMap { _ in [0, 0, 8, 3, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8] as [UInt8] }
            let end = min(arena.deadline, .now + .seconds(5))
            while ContinuousClock.now < end { try arena.send(probes, to: peer) }
        },
    ]
}

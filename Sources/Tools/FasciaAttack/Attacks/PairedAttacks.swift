import FasciaFraming
import FasciaRawPeer
import FasciaWire
import Foundation

extension Attack where Arena == HeadUnitArena {
    /// A phone that was paired and has gone bad, against a head unit.
    static let paired: [Attack<HeadUnitArena>] = [
        Attack("mutated-sessions", .paired, "recorded sessions with damaged bytes") { arena in
            let vectors = arena.fixtures.filter { ($0.kind == "session" && $0.entry["mode"]?.string == "session") || $0.kind == "display" }
            guard let vector = vectors.randomElement() else { return }
            let peer = vector.kind == "display" ? try arena.greeted() : try arena.insider()
            let bytes = Mutation.of(vector.bytes)
            var at = 0
            while at < bytes.count {
                let end = min(bytes.count, at + .random(in: 1...2_000))
                try arena.send(Array(bytes[at..<end]), to: peer)
                at = end
            }
            _ = try peer.next(within: .milliseconds(20))
        },
        Attack("hello-storm", .paired, "connect, Hello, go, as fast as it can") { arena in
            let peer = try arena.greeted()
            if Bool.random() { _ = try peer.next(within: .milliseconds(20)) }
            peer.abandon()
        },
        Attack("probe-flood", .paired, "probes without end, whose answers are never read") { arena in
            let peer = try arena.greeted()
            let probes = (0..<1_000).flatMap { _ in [0, 0, 8, 3, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8] as [UInt8] }
            while !arena.isOver { try arena.send(probes, to: peer) }
        },
        Attack("unknown-frames", .paired, "the longest frames of unknown types, without end") { arena in
            let peer = try arena.greeted()
            var frames: [UInt8] = []
            for type in [0x0A, 0x77, 0xFF] as [UInt8] {
                FrameWriter.frame(FrameType(rawValue: type), channel: .random(in: 0 ... .max), payload: Mutation.noise(FramingLimits.defaultMaxPayload), into: &frames)
            }
            for _ in 0..<200 where !arena.isOver { try arena.send(frames, to: peer) }
        },
        Attack("endless-message", .paired, "a display message that never ends, on every screen's channel") { arena in
            let peer = try arena.greeted { $0.channels = [1, 2, 4] + Array(16...31) }
            var first = true
            while !arena.isOver {
                var frames: [UInt8] = []
                for channel in 16...31 as ClosedRange<UInt16> {
                    FrameWriter.frame(.message, flags: first ? .first : [], channel: channel, payload: [0x10, 0x03] + [UInt8](repeating: 0, count: 16_000), into: &frames)
                }
                first = false
                try arena.send(frames, to: peer)
            }
        },
        Attack("credit", .paired, "credit beyond every bound, for every channel") { arena in
            let peer = try arena.greeted()
            var frames: [UInt8] = []
            for _ in 0..<100 { FrameWriter.credit(.random(in: 0 ... .max), channel: [0, 1, 2, 4, 16, .random(in: 0 ... .max)].randomElement() ?? 0, into: &frames) }
            try arena.send(frames, to: peer)
            _ = try peer.next(within: .milliseconds(20))
        },
        Attack("resource-bombs", .paired, "pictures of 65,535 x 65,535 that claim 17 GB (the header has no more), layers of 100,000 x 100,000, zstd bombs, and more than the budget") { arena in
            let peer = try arena.greeted()
            switch Int.random(in: 0..<4) {
            case 0: try peer.message(16, MessageType.resource, ResourceBomb.header(id: 1, compression: .random(in: 0...1), width: 65_535, height: 65_535, length: .max) + Mutation.noise(1_000))
            case 1: try peer.message(16, MessageType.resource, ResourceBomb.zstd(id: 1))
            case 2:
                let commit = Commit.with {
                    $0.sequence = 1
                    $0.upsert = (1...200 as ClosedRange<UInt32>).map { id in .with { $0.id = id; ($0.width, $0.height) = (100_000, 100_000); $0.solid = 0x8040_2080 } }
                }
                try peer.message(16, MessageType.commit, commit)
            default: for id in 1...200 as ClosedRange<UInt32> where !peer.isOver { try arena.send(Peer.frames(16, MessageType.resource, ResourceBomb.raw(id: id, side: 512)), to: peer) }
            }
            _ = try peer.next(within: .milliseconds(100))
        },
        Attack("heavy-commits", .paired, "commits of 4,000 layers as large as the screen") { arena in
            let peer = try arena.greeted()
            for sequence in 1...20 as ClosedRange<UInt32> where !arena.isOver {
                let commit = Commit.with {
                    $0.sequence = sequence
                    $0.upsert = (1...4_000 as ClosedRange<UInt32>).map { id in .with { $0.id = id; ($0.width, $0.height) = (4_000, 4_000); $0.solid = 0x8040_2080 } }
                }
                try arena.send(Peer.frames(16, MessageType.commit, try commit.serializedBytes()), to: peer)
            }
            _ = try peer.next(within: .milliseconds(500))
        },
        Attack("semantics-storm", .paired, "updates of 4,096 nodes with long texts, for commits that never come") { arena in
            let peer = try arena.greeted()
            for sequence in 1...50 as ClosedRange<UInt32> where !arena.isOver {
                let update = SemanticsUpdate.with {
                    $0.sequence = sequence + 1_000
                    $0.upsert = (1...4_096 as ClosedRange<UInt32>).map { id in .with { $0.id = id; $0.parent = id / 2; $0.label = String(repeating: "x", count: 200) } }
                }
                try arena.send(Peer.frames(4, MessageType.semanticsUpdate, try update.serializedBytes()), to: peer)
            }
        },
        Attack("token-guesses", .paired, "Hello with resume tokens and session ids out of the air") { arena in
            let peer = try arena.greeted {
                $0.resume.sessionID = Data(Mutation.noise(16))
                $0.resume.token = Data(Mutation.noise(Bool.random() ? 32 : .random(in: 0...500)))
            }
            _ = try peer.next(within: .milliseconds(20))
        },
        Attack("ticket-replay", .paired, "one session ticket used again and again") { arena in
            let first = try arena.greeted()
            _ = try first.next(within: .milliseconds(300))
            _ = try first.collect(for: .milliseconds(50))
            guard let ticket = first.secure.sessions.last else { return }
            for _ in 0..<20 where !arena.isOver {
                let again = try arena.insider { $0.session = ticket }
                try again.message(0, MessageType.hello, HeadUnitRig.hello())
                _ = try again.next(within: .milliseconds(50))
                again.abandon()
            }
        },
        Attack("deaf", .paired, "a phone that reads nothing while it asks for answers", workers: 4) { arena in
            let peer = try arena.greeted()
            for sequence in 1...10_000 as ClosedRange<UInt32> where !arena.isOver {
                try arena.send(Peer.frames(16, MessageType.commit, try Commit.with { $0.sequence = sequence }.serializedBytes()), to: peer)
            }
            arena.pause(.seconds(2))
        },
    ]
}

/// Pictures that are larger than they look.
enum ResourceBomb {
    static func header(id: UInt32, compression: UInt8, width: UInt16, height: UInt16, length: UInt32) -> [UInt8] {
        func big<T: FixedWidthInteger>(_ value: T) -> [UInt8] { withUnsafeBytes(of: value.bigEndian, Array.init) }
        return big(id) + [2, compression, 0, 0] + big(width) + big(height) + big(length) + [UInt8](repeating: 7, count: 16)
    }

    static func raw(id: UInt32, side: UInt16) -> [UInt8] {
        let length = Int(side) * Int(side) * 4
        return header(id: id, compression: 0, width: side, height: side, length: UInt32(length)) + [UInt8](repeating: 9, count: length)
    }

    /// A zstd frame without a stated size whose blocks repeat one byte 128 KiB at a time: 3 bytes of input make 131,072.
    static func zstd(id: UInt32) -> [UInt8] {
        let frame: [UInt8] = [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0x58]
        let block: [UInt8] = [0x02, 0x00, 0x10, 0x41] // RLE, 131,072 bytes, not the last
        return header(id: id, compression: 1, width: 64, height: 64, length: 64 * 64 * 4) + frame + (0..<2_000).flatMap { _ in block }
    }
}

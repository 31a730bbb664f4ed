import COpenSSL
import FasciaRawPeer

extension Attack where Arena == HeadUnitArena {
    /// Before TLS: anyone who reaches the port.
    static let network: [Attack<HeadUnitArena>] = [
        Attack("garbage", .network, "random bytes, up to 64 KiB a connection") { arena in
            let socket = try arena.socket()
            _ = arena.send(Mutation.noise(.random(in: 1...65_536)), on: socket)
        },
        Attack("half-open", .network, "1,000 connections that never say anything", workers: 1) { arena in
            var open: [PlainSocket] = []
            while open.count < 1_000, !arena.isOver { if let socket = try? arena.socket() { open.append(socket) } }
            arena.pause(.seconds(4))
            for socket in open { socket.reset() }
        },
        Attack("slow-loris", .network, "200 TLS greetings that arrive one byte every 20 ms", workers: 1) { arena in
            let greeting = try ClientHello.record()
            let open = (0..<200).compactMap { _ in try? arena.socket() }
            for byte in greeting where !arena.isOver {
                for socket in open { _ = arena.send([byte], on: socket) }
                arena.pause(.milliseconds(20))
            }
        },
        Attack("connect-reset", .network, "connections that are reset as soon as they are there") { arena in
            for _ in 0..<50 { try arena.socket().reset() }
        },
        Attack("mutated-client-hello", .network, "TLS greetings with damaged bytes") { arena in
            let socket = try arena.socket()
            _ = arena.send(Mutation.of(try ClientHello.record()), on: socket)
            _ = socket.wait(until: .now + .milliseconds(20))
        },
        Attack("endless-records", .network, "TLS records of unknown types and the largest length, without end") { arena in
            let socket = try arena.socket()
            _ = arena.send(try ClientHello.record(), on: socket)
            for _ in 0..<100 where !arena.isOver {
                guard arena.send([UInt8.random(in: 20...30), 3, 3, 0x40, 0] + Mutation.noise(16_384), on: socket) || socket.wait(forWriting: true, until: .now + .milliseconds(50)) else { return }
            }
        },
    ]
}

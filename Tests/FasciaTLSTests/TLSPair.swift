import NIOCore
import Synchronization

@testable import FasciaTLS

/// Two engines joined by memory.
struct TLSPair {
    let client: TLSEngine
    let server: TLSEngine

    struct Ends: Sendable {
        let clientIdentity: Identity
        let serverIdentity: Identity
        let clientContext: TLSContext
        let serverContext: TLSContext

        init() throws {
            clientIdentity = try Identity.generate()
            serverIdentity = try Identity.generate()
            clientContext = try TLSContext(.client, identity: clientIdentity)
            serverContext = try TLSContext(.server, identity: serverIdentity)
        }

        private init(_ ends: Ends, serverContext: TLSContext) {
            (clientIdentity, serverIdentity, clientContext) = (ends.clientIdentity, ends.serverIdentity, ends.clientContext)
            self.serverContext = serverContext
        }

        /// Ends that were connected once: tickets came with the server's first data, then the connection went without a goodbye, as
        /// with a cut cable.
        static func met() throws -> Ends {
            let ends = try Ends(), pair = try TLSPair(ends)
            pair.handshake()
            _ = pair.carry("x", from: pair.server, to: pair.client)
            return ends
        }

        /// The server has its key and none of its tickets.
        func serverRestarted() throws -> Ends { Ends(self, serverContext: try TLSContext(.server, identity: serverIdentity)) }
    }

    init(
        _ ends: Ends, client clientProtocols: [ApplicationProtocol] = [.link], server serverProtocols: [ApplicationProtocol] = [.link, .pairing],
        clientTrusts: Bool = true, serverTrusts: Bool = true
    ) throws {
        client = try TLSEngine(ends.clientContext, protocols: clientProtocols, expecting: ends.serverIdentity.fingerprint) {
            $0 == .pairing || (clientTrusts && $1 == ends.serverIdentity.fingerprint)
        }
        server = try TLSEngine(ends.serverContext, protocols: serverProtocols) {
            $0 == .pairing || (serverTrusts && $1 == ends.clientIdentity.fingerprint)
        }
    }

    /// What the client has to say before the server's first byte.
    func firstFlight(_ early: String) -> ByteBuffer {
        client.offer(ByteBuffer(string: early))
        _ = client.handshake()
        return client.takeOutbound() ?? ByteBuffer()
    }

    /// Carries bytes to and fro until nothing moves, at most `chunk` bytes at a time.
    @discardableResult
    func handshake(chunk: Int = .max) -> (client: TLSEngine.Step, server: TLSEngine.Step) {
        var steps = (client: client.handshake(), server: server.handshake())
        var moved = true
        while moved {
            moved = false
            for (source, target) in [(client, server), (server, client)] {
                guard var bytes = source.takeOutbound() else { continue }
                moved = true
                while bytes.readableBytes > 0, let piece = bytes.readSlice(length: min(chunk, bytes.readableBytes)) {
                    target.receive(piece)
                    if target === server { steps.server = target.handshake() } else { steps.client = target.handshake() }
                }
            }
        }
        return steps
    }

    /// Sends `text` one way and reads it at the other end.
    func carry(_ text: String, from source: TLSEngine, to target: TLSEngine) -> (String, TLSEngine.ReadOutcome) {
        _ = source.write(ByteBuffer(string: text))
        while let bytes = source.takeOutbound() { target.receive(bytes) }
        var plain = ByteBuffer()
        let outcome = target.read(into: &plain)
        return (String(buffer: plain), outcome)
    }
}

func code(_ step: TLSEngine.Step) -> TLSError.Code? {
    if case .failed(let error) = step { error.code } else { nil }
}

func code(_ outcome: TLSEngine.ReadOutcome) -> TLSError.Code? {
    if case .failed(let error) = outcome { error.code } else { nil }
}

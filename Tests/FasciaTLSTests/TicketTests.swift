import COpenSSL
import NIOCore
import Testing

@testable import FasciaTLS

struct TicketTests {
    let ends: TLSPair.Ends
    init() throws { ends = try TLSPair.Ends.met() }

    var cached: Int { ends.clientContext.tickets.count(for: ends.serverIdentity.fingerprint) }

    @Test func secondConnectionIsResumed() throws {
        #expect(cached == 4)
        let pair = try TLSPair(ends)
        #expect(cached == 3) // used once
        let steps = pair.handshake()
        #expect(steps.client == .complete)
        #expect(steps.server == .complete)
        #expect(pair.client.isResumed)
        #expect(pair.server.isResumed)
        #expect(pair.server.peer == ends.clientIdentity.fingerprint)
        #expect(pair.client.peer == ends.serverIdentity.fingerprint)
        #expect(pair.carry("x", from: pair.server, to: pair.client).0 == "x")
        #expect(cached == 5) // two for the one used up
    }

    @Test func forgottenClientIsRefusedDespiteItsTicket() throws {
        let pair = try TLSPair(ends, serverTrusts: false)
        let steps = pair.handshake()
        #expect(code(steps.server) == .untrustedPeer)
        #expect(!pair.server.isResumed)
    }

    @Test func forgottenServerIsRefusedDespiteItsTicket() throws {
        let pair = try TLSPair(ends, clientTrusts: false)
        #expect(code(pair.handshake().client) == .untrustedPeer)
    }

    @Test func restartedServerFallsBackToAFullHandshake() throws {
        let pair = try TLSPair(ends.serverRestarted())
        let steps = pair.handshake()
        #expect(steps.client == .complete)
        #expect(steps.server == .complete)
        #expect(!pair.client.isResumed)
    }

    /// A phone that never uses its tickets, as one that is restarted each time, does not fill the head unit.
    @Test func unusedTicketsAreForgottenByOpenSSLToo() throws {
        for _ in 0..<20 {
            ends.clientContext.tickets.forget(ends.serverIdentity.fingerprint)
            try TLSPair(ends).handshake()
        }
        #expect(ends.serverContext.issued.count(for: ends.clientIdentity.fingerprint) == IssuedTickets.perPeer)
        #expect(SSL_CTX_ctrl(ends.serverContext.pointer, SSL_CTRL_SESS_NUMBER, 0, nil) == IssuedTickets.perPeer)
    }

    @Test func forgettingDropsTheTickets() {
        ends.clientContext.tickets.forget(ends.serverIdentity.fingerprint)
        #expect(cached == 0)
    }
}

extension TLSPair {
    init(client: TLSEngine, server: TLSEngine) {
        self.client = client
        self.server = server
    }
}

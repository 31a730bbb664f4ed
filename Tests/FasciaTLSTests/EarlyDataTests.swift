import NIOCore
import Testing

@testable import FasciaTLS

struct EarlyDataTests {
    let ends: TLSPair.Ends
    init() throws { ends = try TLSPair.Ends.met() }

    func read(_ engine: TLSEngine) -> String {
        var plain = ByteBuffer()
        _ = engine.read(into: &plain)
        return String(buffer: plain)
    }

    @Test func withoutATicketThereIsNone() throws {
        ends.clientContext.tickets.forget(ends.serverIdentity.fingerprint)
        let pair = try TLSPair(ends)
        #expect(pair.client.earlyDataLimit == 0)
        pair.handshake()
        #expect(pair.client.earlyData == .none && pair.server.earlyData == .none)
    }

    @Test(arguments: [Int.max, 64, 1])
    func isReadAndAnsweredBeforeTheHandshakeIsDone(_ chunk: Int) throws {
        let pair = try TLSPair(ends)
        #expect(pair.client.earlyDataLimit == 16_384)
        var flight = pair.firstFlight("hello")
        var steps: [TLSEngine.Step] = []
        while let piece = flight.readSlice(length: min(chunk, max(1, flight.readableBytes))), piece.readableBytes > 0 {
            pair.server.receive(piece)
            steps.append(pair.server.handshake())
        }
        #expect(steps.last == .early)
        #expect(steps.allSatisfy { $0 == .early || $0 == .incomplete })
        #expect(pair.server.earlyData == .accepted)
        #expect(pair.server.peer == ends.clientIdentity.fingerprint)
        #expect(pair.server.agreedProtocol == .link)
        #expect(!pair.server.isComplete)
        #expect(read(pair.server) == "hello")
        #expect(pair.server.write(ByteBuffer(string: "welcome")) == nil)
        #expect(pair.handshake(chunk: chunk).server == .complete)
        #expect(pair.client.earlyData == .accepted)
        #expect(read(pair.client) == "welcome")
        #expect(read(pair.server) == "")
        #expect(pair.carry("more", from: pair.client, to: pair.server).0 == "more")
        #expect(pair.carry("done", from: pair.server, to: pair.client).0 == "done")
    }

    /// The flight of one connection, sent again by someone who recorded it.
    @Test func aReplayedFlightIsNotTaken() throws {
        let first = try TLSPair(ends)
        let flight = first.firstFlight("resume my session")
        first.server.receive(flight)
        #expect(first.server.handshake() == .early)
        #expect(read(first.server) == "resume my session")
        for _ in 0..<3 {
            let replay = try TLSPair(ends)
            replay.server.receive(flight)
            #expect(replay.server.handshake() == .incomplete) // wants a certificate, which a recording cannot give
            #expect(replay.server.earlyData == .none && replay.server.peer == nil)
            #expect(read(replay.server) == "")
        }
        // The real one is not troubled by it.
        #expect(first.handshake().server == .complete)
        #expect(first.carry("still here", from: first.client, to: first.server).0 == "still here")
    }

    @Test func replayedWhileTheFirstIsStillUnderWay() throws {
        let one = try TLSPair(ends)
        let flight = one.firstFlight("twice")
        let servers = try (0..<4).map { _ in try TLSEngine(ends.serverContext, protocols: [.link]) { _, _ in true } }
        var taken = 0
        for server in servers {
            server.receive(flight)
            if server.handshake() == .early { taken += 1 }
        }
        #expect(taken == 1)
    }

    @Test func whatIsNotTakenIsSentAgain() throws {
        let pair = try TLSPair(ends.serverRestarted())
        pair.server.receive(pair.firstFlight("hello"))
        let steps = pair.handshake()
        #expect(steps.client == .complete && steps.server == .complete)
        #expect(pair.client.earlyData == .rejected && pair.server.earlyData == .none)
        #expect(!pair.client.isResumed)
        #expect(read(pair.server) == "hello")
    }

    @Test func aForgottenPhonesEarlyDataIsNotTaken() throws {
        let pair = try TLSPair(ends, serverTrusts: false)
        pair.server.receive(pair.firstFlight("hello"))
        let steps = pair.handshake()
        #expect(code(steps.server) == .untrustedPeer)
        #expect(pair.server.earlyData == .none)
        #expect(read(pair.server) == "")
    }

    /// A ticket works only with the secret that belongs to it, and stays its owner's.
    @Test func aTicketIsOfThePhoneItWasIssuedTo() throws {
        let thief = try Identity.generate()
        let context = try TLSContext(.client, identity: thief, tickets: ends.clientContext.tickets)
        let client = try TLSEngine(context, protocols: [.link], expecting: ends.serverIdentity.fingerprint) { _, _ in true }
        var asked: [Fingerprint] = []
        let server = try TLSEngine(ends.serverContext, protocols: [.link]) { _, fingerprint in
            asked.append(fingerprint)
            return fingerprint == thief.fingerprint
        }
        let pair = TLSPair(client: client, server: server)
        server.receive(pair.firstFlight("hello"))
        _ = server.handshake()
        // The pin asked for is that of the ticket's owner; refused, it becomes a full handshake with the thief's own key.
        #expect(asked == [ends.clientIdentity.fingerprint])
        #expect(server.earlyData == .none)
        pair.handshake()
        #expect(server.peer == thief.fingerprint && !server.isResumed)
    }

    @Test func pairingHasNoEarlyDataAndNoTickets() throws {
        let pair = try TLSPair(ends, client: [.pairing])
        #expect(pair.client.earlyDataLimit == 0)
        pair.handshake()
        #expect(!pair.server.isResumed && pair.server.agreedProtocol == .pairing)
    }

    /// A ticket of `fascia/1` on a connection that offers pairing only.
    @Test func aTicketOfAnotherProtocolIsNotTaken() throws {
        let tickets = ends.clientContext.tickets
        let ticket = try #require(tickets.take(for: ends.serverIdentity.fingerprint))
        let client = try TLSEngine(ends.clientContext, protocols: [.pairing]) { _, _ in true }
        client.use(ticket)
        #expect(client.earlyDataLimit == 0)
        let server = try TLSEngine(ends.serverContext, protocols: [.link, .pairing]) { _, _ in true }
        let pair = TLSPair(client: client, server: server)
        pair.handshake()
        #expect(!server.isResumed && server.agreedProtocol == .pairing)
    }

    @Test func moreThanAllowedIsRefused() throws {
        let pair = try TLSPair(ends)
        var flight = pair.firstFlight(String(repeating: "x", count: 16_384))
        // A second record of early data, which no well-behaved client sends.
        #expect(pair.client.offerAgain(ByteBuffer(string: "one too many")) == false) // OpenSSL's client keeps to the limit, too
        flight.writeBytes(flight.getBytes(at: flight.writerIndex - 64, length: 64) ?? [])
        pair.server.receive(flight)
        guard case .failed = pair.server.handshake() else { Issue.record("taken"); return }
        #expect(read(pair.server).isEmpty)
    }

    @Test func ticketsLastThroughARaceAndAreBounded() throws {
        var racing: [TLSPair] = []
        while ends.clientContext.tickets.count(for: ends.serverIdentity.fingerprint) > 1 {
            let pair = try TLSPair(ends)
            _ = pair.firstFlight("lost on the way")
            racing.append(pair)
        }
        #expect(racing.count == 3)
        racing = []
        #expect(ends.clientContext.tickets.count(for: ends.serverIdentity.fingerprint) == 4, "nothing was heard on them")
        for _ in 0..<30 {
            let pair = try TLSPair(ends)
            pair.server.receive(pair.firstFlight("x"))
            pair.handshake()
            #expect(pair.server.earlyData == .accepted)
            _ = read(pair.client)
        }
        #expect(ends.clientContext.tickets.count(for: ends.serverIdentity.fingerprint) == TicketCache.ticketsPerPeer)
        #expect(ends.serverContext.issued.count(for: ends.clientIdentity.fingerprint) <= IssuedTickets.perPeer)
    }
}

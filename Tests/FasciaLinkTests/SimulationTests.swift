import FasciaFraming
import FasciaWire
import Testing

@testable import FasciaLink

/// Whole sessions between two machines in virtual time.
struct SimulationTests {
    /// Runs one connection until the session's work is done or the connection is over.
    func run(_ session: inout TestSession, _ pair: inout Pair, for duration: UInt64 = ms(10_000)) {
        var copy = session
        var done = false
        pair.run(
            until: pair.now + duration,
            handle: { end, event, machine, now in
                copy.handle(end, event, &machine, now)
                if copy.isDone && !done {
                    done = true
                    if !machine.isClosed && end == .phone { machine.close(.goodbye, detail: "done", now: now) }
                }
            })
        session = copy
    }

    @Test(arguments: [UInt64](1...40))
    func anyPathCarriesASession(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let path = Pair.Path(
            latency: .random(in: 0...ms(80), using: &random), jitter: .random(in: 0...ms(50), using: &random),
            largestChunk: [1, 3, 17, 1_400, 100_000].randomElement(using: &random) ?? 1,
            socketRoom: [1, 9, 100, 2_000, 65_536].randomElement(using: &random) ?? 1)
        var session = TestSession()
        var pair = session.connect(path: path, seed: seed, grease: seed % 2 == 0 ? seed : nil, now: start)
        run(&session, &pair)
        #expect(session.problems.isEmpty, "\(session.problems)")
        #expect(session.applied == Array(1...TestSession.commits))
        #expect(session.inputsSeen == (1...TestSession.inputs).map(TestSession.touch))
        #expect(session.closures.phone.map(\.code) == [.goodbye])
        #expect(session.closures.car.map(\.code) == [.goodbye])
        #expect(session.closures.car.map(\.initiator) == [.remote])
    }

    @Test func idleLinksLiveOnProbes() {
        var session = TestSession()
        var pair = session.connect(path: Pair.Path(latency: ms(40), jitter: ms(30)), seed: 5, now: start)
        var events: [String] = []
        pair.run(until: start + ms(60_000), handle: { end, event, machine, now in
            session.handle(end, event, &machine, now)
            if case .message = event { return }
            events.append(event.name)
        })
        #expect(events == ["hello", "established", "established"])
        #expect(pair.phone.isOpen && pair.car.isOpen)
        // One end's probe is life for both, so there are about ten a second, not twenty.
        let probes = pair.phone.statistics.probesSent + pair.car.statistics.probesSent
        #expect(probes > 300 && probes < 900, "\(probes)")
        #expect((pair.phone.statistics.roundTrip ?? ms(100)) > ms(70))
    }

    /// Bytes that each end sends in a whole session without trouble.
    func lengths(_ path: Pair.Path) -> (toCar: Int, toPhone: Int) {
        var session = TestSession()
        var pair = session.connect(path: path, seed: 1, now: start)
        run(&session, &pair)
        return pair.carried
    }

    static let path = Pair.Path(latency: ms(2), largestChunk: 700)

    @Test(arguments: Pair.Cut.allCases, [Pair.End.phone, .car])
    func cutAtEveryByteAndResume(_ how: Pair.Cut, _ end: Pair.End) {
        let lengths = lengths(Self.path)
        let total = end == .phone ? lengths.toCar : lengths.toPhone
        #expect(total > 200)
        for offset in stride(from: 0, through: total, by: how == .oneWay ? 7 : 1) {
            var session = TestSession()
            var pair = session.connect(path: Self.path, seed: 1, now: start)
            pair.cutAfter = (end, offset, how)
            run(&session, &pair)
            guard pair.phone.isClosed && pair.car.isClosed else {
                Issue.record("cut after \(offset) bytes: an end is still open")
                return
            }
            check(session, pair, offset, how)
            guard !session.isDone else { continue }
            var second = session.connect(path: Self.path, seed: 2, now: pair.now + ms(10))
            run(&session, &second)
            let numbers = session.inputsSeen.map { $0.first ?? 0 }
            let inOrder = zip(numbers, numbers.dropFirst()).allSatisfy(<)
            let isWhole = session.inputsSeen.allSatisfy { $0 == TestSession.touch(Int($0.first ?? 0)) }
            if !session.problems.isEmpty || session.applied != Array(1...TestSession.commits) || !isWhole || !inOrder {
                Issue.record("cut after \(offset) bytes, resumed: \(session.problems) \(session.applied) \(session.inputsSeen)")
                return
            }
            if session.closures.phone.last?.code != .goodbye || session.closures.car.last?.code != .goodbye {
                Issue.record("cut after \(offset) bytes, resumed: \(session.closures)")
                return
            }
        }
    }

    /// Both ends of a cut connection end once, with a reason that fits.
    private func check(_ session: TestSession, _ pair: Pair, _ offset: Int, _ how: Pair.Cut) {
        let allowed: Set<CloseCode> = how == .reset ? [.transportLost, .goodbye] : [.timeout, .handshakeTimeout, .goodbye, .transportLost]
        for closures in [session.closures.phone, session.closures.car] {
            let codes = closures.map(\.code)
            if codes.count != 1 || !allowed.isSuperset(of: codes) || closures[0].evidence.isEmpty {
                Issue.record("cut after \(offset) bytes, \(how): \(closures)")
            }
        }
        if !session.problems.isEmpty { Issue.record("cut after \(offset) bytes: \(session.problems)") }
    }
}

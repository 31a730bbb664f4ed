import FasciaFraming
import FasciaWire
import Testing

@testable import FasciaLink

struct LivenessTests {
    @Test func silentPeerIsGivenFiveSeconds() {
        for (name, make) in [("phone", { LinkMachine.phone() }), ("car", { LinkMachine.car() })] as [(String, () -> LinkMachine)] {
            var machine = make()
            #expect(machine.nextDeadline == start + ms(5_000))
            machine.deadlineReached(now: start + ms(4_999))
            #expect(machine.takeEvents().isEmpty, "\(name)")
            machine.deadlineReached(now: start + ms(5_000))
            let closure = machine.takeEvents().closure
            #expect(closure?.code == .handshakeTimeout && closure?.initiator == .local)
            #expect(closure?.evidence.map(\.kind) == [.handshakeTimeout])
            #expect(frames(machine.drain()).last?.header.type == .close)
        }
    }

    @Test func suspectThenDead() {
        var (phone, _) = openPair()
        var events: [(UInt64, String)] = []
        var probes = 0
        while let deadline = phone.nextDeadline {
            phone.deadlineReached(now: deadline)
            probes += frames(phone.drain(now: deadline)).filter { $0.header.type == .probe }.count
            events += phone.takeEvents().map { ((deadline - start) / ms(1), $0.name) }
        }
        #expect(events.map(\.0) == [120, 300, 1_500])
        #expect(events.map(\.1) == ["late", "suspected silence", "closed TIMEOUT transport"])
        #expect(probes == 14)
    }

    @Test func theDeathNamesItsEvidence() {
        var (phone, _) = openPair()
        while let deadline = phone.nextDeadline {
            phone.deadlineReached(now: deadline)
            _ = phone.drain(now: deadline)
        }
        let closure = phone.takeEvents().closure
        #expect(closure?.evidence.map(\.kind) == [.probeTimeout, .lateAnswer, .silence])
        #expect(closure?.evidence.map { ($0.at - start) / ms(1) } == [1_500, 120, 300])
    }

    @Test func anyByteIsLife() {
        var (phone, _) = openPair()
        phone.deadlineReached(now: start + ms(400))
        #expect(phone.isSuspect)
        phone.receive([0], now: start + ms(450)) // a part of a header is enough
        #expect(!phone.isSuspect)
        let events = phone.takeEvents()
        #expect(events.names == ["suspected silence", "recovered"])
        guard case .recovered(let silence) = events.last else { return }
        #expect(silence == ms(450))
        #expect(phone.statistics.suspicions == 1)
    }

    @Test func answeredProbesGiveTheRoundTrip() {
        var (phone, car) = openPair()
        phone.deadlineReached(now: start + ms(100))
        let probe = phone.drain(now: start + ms(100))
        #expect(frames(probe).map(\.header.type) == [.probe])
        car.receive(probe, now: start + ms(120))
        phone.receive(car.drain(now: start + ms(120)), now: start + ms(140))
        // The first measurement was taken when the channels opened, in no time.
        #expect(phone.statistics.roundTrip == ms(5))
        #expect(phone.statistics.probesAnswered == 2)
        // The car heard the probe, so it has no reason to send one.
        #expect(car.nextDeadline == start + ms(220))
    }

    @Test func aSlowPathIsSuspectedLater() {
        var (phone, car) = (LinkMachine.phone(), LinkMachine.car())
        car.receive(phone.drain(), now: start)
        car.accept(.test, now: start)
        phone.receive(car.drain(now: start), now: start + ms(100))
        let heard = start + ms(500)
        car.receive(phone.drain(now: start + ms(100)), now: start + ms(300))
        phone.receive(car.drain(now: start + ms(300)), now: heard)
        _ = phone.takeEvents()
        #expect(phone.statistics.roundTrip == ms(400))
        // 100 probe interval + 400 round trip + 4 * 200 variation.
        phone.deadlineReached(now: heard + ms(1_299))
        #expect(!phone.isSuspect)
        phone.deadlineReached(now: heard + ms(1_300))
        #expect(phone.isSuspect)
    }

    @Test func aSleeperListensBeforeItJudges() {
        var (phone, _) = openPair()
        phone.deadlineReached(now: start + ms(60_000))
        #expect(phone.takeEvents().names == ["suspected silence"])
        var last: UInt64 = 0
        while let deadline = phone.nextDeadline {
            phone.deadlineReached(now: deadline)
            last = deadline
        }
        #expect(phone.takeEvents().closure?.code == .timeout)
        #expect(last > start + ms(61_000))
    }

    @Test func outsideEvidenceMakesALinkSuspect() {
        var (phone, _) = openPair()
        phone.observe(Evidence(.carrierLost, "wlan0", at: start + ms(10)), now: start + ms(10))
        #expect(phone.takeEvents().names == ["suspected carrierLost"])
        #expect(frames(phone.drain(now: start + ms(10))).map(\.header.type) == [.probe])
        phone.observe(Evidence(.mdnsGoodbye, at: start), now: start + ms(11))
        #expect(phone.takeEvents().isEmpty)
        phone.transportEnded(.fin, now: start + ms(12))
        #expect(phone.takeEvents().closure?.evidence.map(\.kind) == [.fin, .carrierLost, .mdnsGoodbye])
    }

    @Test func aClockThatGoesBackIsHarmless() {
        var (phone, _) = openPair()
        phone.deadlineReached(now: start + ms(90))
        phone.receive([0, 0], now: 5)
        phone.deadlineReached(now: 7)
        _ = phone.drain(now: 1)
        #expect(phone.takeEvents().isEmpty)
        phone.deadlineReached(now: start + ms(380))
        #expect(!phone.isSuspect)
        phone.deadlineReached(now: start + ms(390))
        #expect(phone.isSuspect)
    }

    @Test func anEndInsideAMessageIsNamed() {
        var (_, car) = openPair()
        car.receive([0, 0, 9, 1, 3], now: start)
        car.transportEnded(.error("broken pipe"), now: start)
        let closure = car.takeEvents().closure
        #expect(closure?.initiator == .transport)
        #expect(closure?.evidence.first?.detail == "broken pipe, in the middle of a message")
    }
}

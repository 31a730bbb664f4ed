import FasciaPairing
import FasciaTLS
import FasciaTrust
import Foundation
import Synchronization
import Testing

@testable import FasciaCarrier

struct PairingTests {
    @Test func rightCodePairsBothEndsAndTheyConnect() async throws {
        let rig = try await Rig(paired: false)
        let car = try await rig.pair("123 456")
        #expect(car.name == "Volvo 240")
        #expect(car.fingerprint == rig.car.fingerprint)
        let phone = await rig.events.first { if case .paired(let peer) = $0 { peer } else { nil } }
        #expect(phone?.name == "Ida’s phone")
        #expect(phone?.fingerprint == rig.phone.fingerprint)
        #expect(rig.phoneTrust.peers.map(\.name) == ["Volvo 240"])
        #expect(rig.carTrust.peers.map(\.name) == ["Ida’s phone"])
        let (session, _) = try await rig.connect(expecting: car.fingerprint)
        #expect(session.remote.name == "Volvo 240")
    }

    @Test func wrongCodePairsNobody() async throws {
        let rig = try await Rig(paired: false)
        let error = await carrierError { try await rig.pair("654321") }
        #expect(error?.code == .wrongCode)
        let seen = try #require(await rig.events.pairingFailure())
        #expect(seen.0.code == .wrongCode)
        #expect(seen.lockedFor == nil)
        #expect(rig.phoneTrust.peers.isEmpty)
        #expect(rig.carTrust.peers.isEmpty)
        #expect(await carrierError { try await rig.dialer.connect(to: rig.address, hello: Rig.hello) }?.code == .notPaired)
    }

    @Test func fiveWrongCodesLockTheRightOneOutToo() async throws {
        let rig = try await Rig(paired: false)
        for attempt in 1...5 {
            #expect(await carrierError { try await rig.pair("00000\(attempt)") }?.code == .wrongCode)
            let lock = try #require(await rig.events.pairingFailure()).lockedFor
            #expect((lock != nil) == (attempt == 5))
        }
        let wasAsked = Mutex(false)
        let error = await carrierError {
            try await rig.dialer.pair(with: rig.address, code: { wasAsked.withLock { $0 = true }; return Rig.code }, name: "x")
        }
        #expect(error?.code == .pairingLocked)
        #expect(error?.description.contains("try again in") == true)
        #expect(rig.carTrust.peers.isEmpty)
        // A restart does not clear it: a new listener reads the same file.
        let again = try PairingLockoutFile(in: rig.carTrust.directory)
        guard case .locked = again.verdict else { Issue.record("the restart cleared the lock"); return }
    }

    @Test func lockEndsWithTimeAndSuccessForgives() async throws {
        let rig = try await Rig(paired: false)
        let clock = Mutex<UInt64>(1_000)
        let lockout = try PairingLockoutFile(in: rig.phoneTrust.directory, now: { clock.withLock { $0 } }, bootID: "a")
        for _ in 1...5 { #expect(try lockout.beginAttempt() == .allowed) }
        #expect(try lockout.beginAttempt() == .locked(PairingLockout.firstLock))
        clock.withLock { $0 += PairingLockout.firstLock }
        #expect(try lockout.beginAttempt() == .allowed)
        try lockout.attemptSucceeded()
        for _ in 1...4 { #expect(try lockout.beginAttempt() == .allowed) }
        #expect(lockout.verdict == .allowed)
    }

    @Test func damagedLockoutFileIsNotTakenForNoLock() async throws {
        let rig = try await Rig()
        let path = rig.carTrust.directory.path + "/" + PairingLockoutFile.fileName
        try "{".write(toFile: path, atomically: false, encoding: .utf8)
        #expect(chmod(path, 0o600) == 0)
        #expect { try PairingLockoutFile(in: rig.carTrust.directory) } throws: { ($0 as? StateError)?.code == .corrupt }
    }

    @Test func headUnitThatDoesNotPairSaysSoBeforeTheCodeIsTyped() async throws {
        let rig = try await Rig(paired: false, code: nil)
        let dialer = rig.dialer
        let error = await carrierError {
            // The user never gets to the end of typing.
            try await dialer.pair(with: rig.address, code: { await withUnsafeContinuation { (_: UnsafeContinuation<String, Never>) in } }, name: "x")
        }
        #expect(error?.code == .pairingUnavailable)
        #expect(error?.description.contains("does not pair now") == true)
    }

    @Test func secondPhoneHasToWait() async throws {
        let rig = try await Rig(paired: false)
        guard case .allowed = rig.listener.beginPairing() else { return #expect(Bool(false), "the first phone's PairStart") }
        let error = await carrierError { try await rig.pair() }
        #expect(error?.closure?.code == .busy)
        rig.listener.endPairing()
        #expect(try await rig.pair().name == "Volvo 240")
        #expect(rig.lockout.verdict == .allowed)
    }

    @Test func phonesThatOnlyConnectKeepNobodyFromPairing() async throws {
        let rig = try await Rig(paired: false)
        let dialer = rig.dialer
        let silent = (0...LinkListener.maximumHalfOpen).map { number in
            Task { // its user never gets to the end of typing
                try await dialer.pair(with: rig.address, code: { await withUnsafeContinuation { (_: UnsafeContinuation<String, Never>) in } }, name: "silent \(number)")
            }
        }
        // One more than may wait: the oldest is turned out, perhaps before it got through TLS, and it counts as no attempt.
        var started = 0, turnedOut = 0
        _ = await rig.events.first { event in
            if case .pairingStarted = event { started += 1 }
            if case .rejected = event { turnedOut += 1 }
            return started >= LinkListener.maximumHalfOpen && turnedOut == 1 ? true : nil
        }
        #expect(try await rig.pair().name == "Volvo 240")
        #expect(rig.lockout.verdict == .allowed)
        for task in silent { task.cancel() }
    }

    @Test func whatIsNoCodeIsNotSent() async throws {
        let rig = try await Rig(paired: false)
        let error = await carrierError { try await rig.pair("12345") }
        #expect(error?.code == .wrongCode)
        #expect(error?.description.contains("six digits") == true)
        #expect(rig.lockout.verdict == .allowed)
        _ = await rig.events.rejection()
        #expect(try await rig.pair().name == "Volvo 240") // and pairing is free again
    }

    @Test func pairedConnectionsMayNotSkipPairing() async throws {
        // The pairing protocol takes strangers, but gives them no session: Hello is illegal there.
        let rig = try await Rig(paired: false)
        #expect(rig.carTrust.peers.isEmpty)
        let error = await carrierError { try await rig.dialer.connect(to: rig.address, hello: Rig.hello) }
        #expect(error?.code == .notPaired)
    }
}

import FasciaLink
import FasciaPairing
import FasciaTLS
import FasciaTrust
import FasciaWire

/// The head unit's part of a pairing over a connection.
struct HeadUnitPairing: Sendable {
    enum Outcome: Sendable {
        case paired(PairedPeer)
        /// The phone went, or was turned away, before an attempt was counted.
        case notStarted(CarrierError)
        case failed(CarrierError)
    }

    let link: PairingLink
    let headUnit: Fingerprint
    let lockout: PairingLockoutFile
    let trust: TrustStore
    let address: CarrierAddress
    /// Asks for the right to pair, and for the code of that moment; `end` gives it back.
    let begin: @Sendable () -> LinkListener.PairingStart
    let end: @Sendable () -> Void

    /// Runs until the connection ends or the phone is paired.
    func run() async -> Outcome {
        let core = link.core
        if case .locked(let rest) = lockout.verdict { return .failed(refuse(rest)) }
        while let event = await core.next() {
            switch event {
            case .message(_, let type, let body):
                guard PairingExchange.isWellFormedStart(type, body) else {
                    return .notStarted(refuse(.badMessage, CarrierError(.closed, .remote, "its PairStart cannot be read")))
                }
                switch begin() {
                case .refused(let code, let reason):
                    return .notStarted(refuse(code, CarrierError(.pairingUnavailable, .local, reason)))
                case .allowed(let code, let policy):
                    defer { end() }
                    return await attempt(code, policy, start: (type, body))
                }
            case .closed(let closure):
                return .notStarted(.closed(closure))
            case .helloReceived, .established, .late, .suspected, .recovered:
                continue
            }
        }
        return .notStarted(CarrierError(.cancelled, .local, "pairing was given up"))
    }

    private func attempt(_ code: PairingCode, _ policy: PairingPolicy, start: (type: UInt16, body: [UInt8])) async -> Outcome {
        do throws(StateError) {
            if case .locked(let rest) = try lockout.beginAttempt() { return .failed(refuse(rest)) }
        } catch { return .failed(refuse(.internalError, .state(error))) }
        var exchange = PairingExchange(.headUnit, code: code, name: policy.name, binding: link.binding(phone: link.peer, headUnit: headUnit))
        if let outcome = step(&exchange, start.type, start.body) { return outcome }
        while let event = await link.core.next() {
            switch event {
            case .message(_, let type, let body):
                if let outcome = step(&exchange, type, body) { return outcome }
            case .closed(let closure):
                let text = "the code was wrong, or the phone broke off (\(closure.code))"
                return .failed(CarrierError(.wrongCode, .user, text, closure: closure))
            case .helloReceived, .established, .late, .suspected, .recovered:
                continue
            }
        }
        return .failed(CarrierError(.cancelled, .local, "pairing was given up"))
    }

    /// Nil while there is more to come.
    private func step(_ exchange: inout PairingExchange, _ type: UInt16, _ body: [UInt8]) -> Outcome? {
        switch exchange.receive(type, body) {
        case .send(let message):
            _ = link.send(message) // refused only when closed, which is told by an event
            return nil
        case .finished(let name, let last):
            return finish(name, last)
        case .failed(let error):
            return .failed(refuse(error.code == .wrongCode ? .wrongCode : .badMessage, .pairing(error)))
        }
    }

    private func finish(_ name: String, _ last: PairingExchange.Message?) -> Outcome {
        do throws(StateError) {
            try trust.add(TrustedPeer(name: name, fingerprint: link.peer))
            try lockout.attemptSucceeded()
        } catch { return .failed(refuse(.internalError, .state(error))) }
        if let last { _ = link.send(last) }
        link.core.close(.paired, detail: "")
        return .paired(PairedPeer(name: name, fingerprint: link.peer, address: address))
    }

    private func refuse(_ rest: UInt64) -> CarrierError {
        let seconds = (rest + 999_999_999) / 1_000_000_000
        return refuse(.pairingLocked, CarrierError(.pairingLocked, .remote, "too many wrong codes; try again in \(seconds) s"))
    }

    private func refuse(_ code: CloseCode, _ error: CarrierError) -> CarrierError {
        link.core.close(code, detail: error.description)
        return error
    }
}

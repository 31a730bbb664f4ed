import FasciaLink
import FasciaPairing
import FasciaTLS
import FasciaTrust
import FasciaWire

/// The head unit's part of a pairing over a connection.
struct HeadUnitPairing: Sendable {
    let link: PairingLink
    let headUnit: Fingerprint
    let code: PairingCode
    let policy: PairingPolicy
    let trust: TrustStore
    let address: CarrierAddress

    /// Runs until the connection ends or the phone is paired.
    func run() async -> Result<PairedPeer, CarrierError> {
        let core = link.core
        if case .locked(let rest) = policy.lockout.verdict { return refuse(rest) }
        var exchange = PairingExchange(.headUnit, code: code, name: policy.name, binding: link.binding(phone: link.peer, headUnit: headUnit))
        var hasSpentAttempt = false
        while let event = await core.next() {
            switch event {
            case .message(_, let type, let body):
                if PairingExchange.isWellFormedStart(type, body) {
                    do throws(StateError) {
                        if case .locked(let rest) = try policy.lockout.beginAttempt() { return refuse(rest) }
                    } catch { return refuse(.internalError, .state(error)) }
                    hasSpentAttempt = true
                }
                switch exchange.receive(type, body) {
                case .send(let message):
                    _ = link.send(message) // refused only when closed, which is told by an event
                case .finished(let name, let last):
                    return finish(name, last)
                case .failed(let error):
                    return refuse(error.code == .wrongCode ? .wrongCode : .badMessage, .pairing(error))
                }
            case .closed(let closure):
                if hasSpentAttempt {
                    let text = "the code was wrong, or the phone broke off (\(closure.code))"
                    return .failure(CarrierError(.wrongCode, .user, text, closure: closure))
                }
                return .failure(.closed(closure))
            case .helloReceived, .established, .suspected, .recovered:
                continue
            }
        }
        return .failure(CarrierError(.cancelled, .local, "pairing was given up"))
    }

    private func finish(_ name: String, _ last: PairingExchange.Message?) -> Result<PairedPeer, CarrierError> {
        do throws(StateError) {
            try trust.add(TrustedPeer(name: name, fingerprint: link.peer))
            try policy.lockout.attemptSucceeded()
        } catch { return refuse(.internalError, .state(error)) }
        if let last { _ = link.send(last) }
        link.core.close(.paired, detail: "")
        return .success(PairedPeer(name: name, fingerprint: link.peer, address: address))
    }

    private func refuse(_ rest: UInt64) -> Result<PairedPeer, CarrierError> {
        let seconds = (rest + 999_999_999) / 1_000_000_000
        return refuse(.pairingLocked, CarrierError(.pairingLocked, .remote, "too many wrong codes; try again in \(seconds) s"))
    }

    private func refuse(_ code: CloseCode, _ error: CarrierError) -> Result<PairedPeer, CarrierError> {
        link.core.close(code, detail: error.description)
        return .failure(error)
    }
}

import FasciaLink
import FasciaPairing
import FasciaTLS

/// The phone's part of a pairing over a connection.
struct PhonePairing: Sendable {
    let link: PairingLink
    let phone: Fingerprint
    let name: String

    private enum Input: Sendable {
        case code(String)
        case event(LinkEvent)
        case ended
    }

    /// Until PairDone. Then the caller stores the head unit's key and closes the link (spec 4.4, P-13 and P-14).
    /// - Returns: the head unit's name.
    func run(code: @escaping @Sendable () async -> String) async throws(CarrierError) -> String {
        // The head unit may close (pairing is locked) while the user is still typing, and he may type for ever.
        let (inputs, continuation) = AsyncStream<Input>.makeStream()
        let typing = Task { continuation.yield(.code(await code())) }
        let reading = Task {
            while let event = await link.core.next() { continuation.yield(.event(event)) }
            continuation.yield(.ended)
        }
        defer {
            typing.cancel()
            reading.cancel()
        }
        var exchange: PairingExchange?
        for await input in inputs {
            switch input {
            case .code(let text):
                exchange = try begin(text)
            case .event(.message(_, let type, let body)):
                guard let step = exchange?.receive(type, body) else { continue }
                switch step {
                case .send(let message):
                    _ = link.send(message) // refused only when closed, which is told by an event
                case .finished(let peerName, _):
                    return peerName
                case .failed(let error):
                    link.core.close(error.code == .wrongCode ? .wrongCode : .badMessage, detail: error.description)
                    throw .pairing(error)
                }
            case .event(.closed(let closure)):
                throw .closed(closure)
            case .event:
                continue
            case .ended:
                throw CarrierError(.cancelled, .user, "pairing was given up")
            }
        }
        // The task was cancelled.
        link.core.close(.goodbye, detail: "pairing was given up")
        throw CarrierError(.cancelled, .user, "pairing was given up")
    }

    private func begin(_ text: String) throws(CarrierError) -> PairingExchange {
        guard let code = PairingCode(text) else {
            link.core.close(.goodbye, detail: "no code was entered")
            throw CarrierError(.wrongCode, .user, "“\(text)” is no pairing code: it has six digits")
        }
        var exchange = PairingExchange(.phone, code: code, name: name, binding: link.binding(phone: phone, headUnit: link.peer))
        switch exchange.start() {
        case .send(let message):
            _ = link.send(message)
            return exchange
        case .failed(let error):
            link.core.close(.internalError, detail: error.description)
            throw .pairing(error)
        case .finished:
            throw CarrierError(.internalError, .local, "the pairing ended before it began")
        }
    }
}

import Synchronization

/// A result that one task waits for and that is set once: what comes later is dropped.
final class OneShot<Value: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Result<Value, CarrierError>, Never>)
        case set(Result<Value, CarrierError>)
        case done
    }

    private let state = Mutex(State.open)

    /// - Returns: whether this was the first.
    @discardableResult
    func set(_ result: Result<Value, CarrierError>) -> Bool {
        let (continuation, isFirst) = state.withLock { state -> (CheckedContinuation<Result<Value, CarrierError>, Never>?, Bool) in
            switch state {
            case .open:
                state = .set(result)
                return (nil, true)
            case .awaited(let continuation):
                state = .done
                return (continuation, true)
            case .set, .done:
                return (nil, false)
            }
        }
        continuation?.resume(returning: result)
        return isFirst
    }

    /// To be called once.
    nonisolated(nonsending) func value() async throws(CarrierError) -> Value {
        let result = await withCheckedContinuation { continuation in
            let ready = state.withLock { state -> Result<Value, CarrierError>? in
                if case .set(let result) = state {
                    state = .done
                    return result
                }
                state = .awaited(continuation)
                return nil
            }
            if let ready { continuation.resume(returning: ready) }
        }
        return try result.get()
    }
}

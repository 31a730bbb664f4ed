import FasciaLink
import FasciaScene
import FasciaWire
import Synchronization

/// What the phone would say first on a new connection, kept ready: a connection asks for it on its event loop, without waiting for
/// the main actor.
final class FlightBox: Sendable {
    struct Content: Sendable {
        var flight: FirstFlight
        /// The state its messages show; nil when it says Hello only.
        var speculation: Speculation?
        /// Rises with each change.
        fileprivate(set) var version: UInt64 = 0

        init(flight: FirstFlight, speculation: Speculation? = nil) {
            self.flight = flight
            self.speculation = speculation
        }
    }

    private let content: Mutex<Content>

    init(_ content: Content) { self.content = Mutex(content) }

    var current: Content { content.withLock { $0 } }
    func set(_ new: Content) { replace { _ in new } }

    /// What is on the screen changes: the messages may speak of pictures that are being released.
    func forgetMessages() { replace { Content(flight: FirstFlight(hello: $0.flight.hello)) } }

    private func replace(_ make: (Content) -> Content) {
        content.withLock { content in
            let version = content.version
            content = make(content)
            content.version = version &+ 1
        }
    }
}

/// The right of one attempt to take the flight. Its token is spent with that, so the attempt can be recalled only before.
final class FlightPass: Sendable {
    private enum State {
        case open
        case taken(FlightBox.Content)
        case revoked
    }

    private let box: FlightBox
    private let state = Mutex(State.open)
    private let drafted = Mutex<FlightBox.Content?>(nil)

    init(_ box: FlightBox) { self.box = box }

    /// The flight: the newest when it is taken first, the same ever after, for all of an attempt's connections offer one token.
    func take() -> FirstFlight {
        state.withLock { state in
            switch state {
            case .open:
                let content = box.current
                state = .taken(content)
                return content.flight
            case .taken(let content): return content.flight
            case .revoked:
                // The attempt is being dropped this very moment. No version is offered: the car turns it away whatever else it says.
                var hello = Hello()
                hello.name = box.current.flight.hello.name
                hello.versionMin = UInt32.max
                hello.versionMax = UInt32.max
                return FirstFlight(hello: hello)
            }
        }
    }

    /// What the flight would be now.
    func draft() -> FirstFlight {
        state.withLock { _ in
            let content = box.current
            drafted.withLock { $0 = content }
            return content.flight
        }
    }

    /// The flight as drafted last is taken; false when that is out of date, or may not be.
    func takeDraft() -> Bool {
        state.withLock { state in
            guard case .open = state, let content = drafted.withLock({ $0 }), content.version == box.current.version else { return false }
            state = .taken(content)
            return true
        }
    }

    /// False when it is too late: the flight has left.
    func revoke() -> Bool {
        state.withLock { state in
            if case .taken = state { return false }
            state = .revoked
            return true
        }
    }

    /// What was said in advance.
    var speculation: Speculation? { state.withLock { if case .taken(let content) = $0 { content.speculation } else { nil } } }
}

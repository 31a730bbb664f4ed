import FasciaWire

/// Where a connection is. A link in doubt is still `.open`: see `LinkMachine.liveness`.
/// ```
///  phone, session                head unit, session              both, pairing
///  +----------------+            +-------------+                 +-----------+
///  | welcomeAwaited |            | helloAwaited|                 |  pairing  |
///  +----------------+            +-------------+                 +-----------+
///     | Welcome                     | Hello                        | PairStart, PairReply,
///     v                             v                              | PairConfirm, PairDone,
///  +------+                      +----------+   accept   +------+  | each once, in this order
///  | open |                      | deciding | ---------> | open |  |
///  +------+                      +----------+            +------+  |
///     |                             |                       |      |
///     +---- close, CLOSE, violation, transport ended, timeout -----+
///                                   v
///                               +--------+
///                               | closed |
///                               +--------+
/// ```
enum LinkState: Sendable {
    /// Phone: Hello is queued or sent.
    indirect case welcomeAwaited(Hello)
    /// Head unit: nothing has come yet.
    case helloAwaited
    /// Head unit: the owner has the Hello and has not answered.
    indirect case deciding(Hello)
    /// Pairing connection; the message that must come next.
    case pairing(next: PairingStep)
    case open
    /// Poisoned: nothing is read any more.
    case closed
}

/// The message a pairing connection must see next, from either end.
enum PairingStep: Sendable {
    case start
    case reply
    case confirm
    case done
    case nothing

    /// The type that is legal now; nil after the last.
    var expected: UInt16? {
        switch self {
        case .start: MessageType.pairStart
        case .reply: MessageType.pairReply
        case .confirm: MessageType.pairConfirm
        case .done: MessageType.pairDone
        case .nothing: nil
        }
    }

    var following: PairingStep {
        switch self {
        case .start: .reply
        case .reply: .confirm
        case .confirm: .done
        case .done, .nothing: .nothing
        }
    }
}

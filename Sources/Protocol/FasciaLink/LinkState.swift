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
    /// Pairing connection.
    case pairing(PairingProgress)
    case open
    /// Poisoned: nothing is read any more.
    case closed
}

/// How far a pairing connection is: PairStart, PairReply, PairConfirm, PairDone, each once.
struct PairingProgress: Sendable {
    let end: LinkEnd
    private var sent = 0
    private var received = 0

    init(end: LinkEnd) { self.end = end }

    private static func messages(of end: LinkEnd) -> [UInt16] {
        switch end {
        case .phone: [MessageType.pairStart, MessageType.pairConfirm]
        case .headUnit: [MessageType.pairReply, MessageType.pairDone]
        }
    }

    /// The type the peer may send now. The phone expects nothing before its own PairStart.
    private var awaited: UInt16? {
        let messages = Self.messages(of: end.peer)
        return received < messages.count && (end == .headUnit || sent > 0) ? messages[received] : nil
    }

    /// The type this end may send now: the phone begins, then each end answers.
    private var due: UInt16? {
        let messages = Self.messages(of: end)
        let answered = end == .phone ? sent == received : sent < received
        return sent < messages.count && answered ? messages[sent] : nil
    }

    /// False when the peer must not send this now.
    mutating func receive(_ type: UInt16) -> Bool {
        if awaited != type { return false }
        received += 1
        return true
    }

    /// Whether this end may send `type` now.
    func maySend(_ type: UInt16) -> Bool { due == type }

    mutating func send() { sent += 1 }
}

import FasciaFraming
import FasciaWire

/// One channel of a connection: what may come in, what waits to go out.
struct LinkChannel: Sendable {
    /// What happens to inbound messages.
    enum Inbound: Sendable {
        /// Not open (yet): a violation.
        case closed
        /// Kept until the head unit has answered Hello.
        case held
        case delivered
        /// Belongs to a session that did not go on: dropped until Proceed.
        case refused
        /// The head unit did not open it; what the phone sent before it knew is dropped.
        case discarded
    }

    /// What happens to outbound messages.
    enum Outbound: Sendable {
        case closed
        case open
    }

    let id: ChannelID
    let kind: ChannelKind
    var inbound = Inbound.closed
    var outbound = Outbound.closed
    var assembler: MessageAssembler
    /// The unfinished message began before Proceed and is dropped at its end.
    var dropsUnfinished = false
    var receiveCredit: ReceiveCredit
    var sendCredit: SendCredit
    var queue = SendQueue()
    /// Longest message the peer takes, in bytes.
    var sendLimit: Int
    /// Complete messages that the owner has not taken.
    var untaken = 0
    /// Bytes of an unfinished message whose credit is kept back while others are untaken, so that memory stays bounded.
    var withheld = 0
    /// Whether a CREDIT frame should go out.
    var grantDue = false

    init(_ id: ChannelID, _ kind: ChannelKind, maxReceived: Int) {
        self.id = id
        self.kind = kind
        assembler = MessageAssembler(maxMessage: min(kind.maxMessage, maxReceived))
        // Control is not credit limited: a credit that never runs out and is never topped up.
        receiveCredit = ReceiveCredit(initial: kind.initialCredit ?? .max)
        sendCredit = SendCredit(initial: kind.initialCredit ?? .max)
        sendLimit = kind.maxMessage
    }

    /// Whether what is received gives credit back.
    var returnsCredit: Bool { inbound == .delivered || inbound == .refused }

    /// Whether a frame of the oldest message could go out now.
    /// - Parameter longest: longest message that may be begun.
    func canSend(longest: Int) -> Bool {
        if queue.isEmpty || outbound != .open { return false }
        if queue.sent > 0 { return sendCredit.available > 0 }
        return sendCredit.available >= FramingLimits.messageTypeSize && queue.front.size <= longest
    }
}

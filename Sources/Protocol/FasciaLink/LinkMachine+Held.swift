import FasciaFraming

extension LinkMachine {
    /// Bytes of the peer's that are kept: unfinished frames and messages, and messages not taken. Never more than came, and bounded
    /// by what the channels' credit and longest message allow.
    package var heldBytes: Int {
        parser.pendingBytes + channels.reduce(0) { $0 + $1.assembler.unfinishedBytes } + held.reduce(0) { $0 + $1.body.count } + events.bodyBytes + direct.bodyBytes
    }
}

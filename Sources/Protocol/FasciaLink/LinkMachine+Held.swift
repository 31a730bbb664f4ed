import FasciaFraming
import FasciaWire

extension LinkMachine {
    /// Head unit, before `accept`: what the phone has said behind its Hello on a channel, oldest first. It counts as consumed and does not
    /// come as an event. For an owner who goes on with the session (`Welcome.resumed`) and lets it count before the Welcome is written.
    public mutating func takeHeld(on channel: ChannelID) -> [(type: UInt16, body: [UInt8])] {
        guard case .deciding = state, let slot = slot(channel.rawValue), channels[slot].inbound == .held else { return [] }
        let taken = held.filter { $0.slot == slot }
        held.removeAll { $0.slot == slot }
        for message in taken { consumed(message.credit, slot: slot) }
        return taken.map { ($0.type, $0.body) }
    }

    /// Bytes of the peer's that are kept: unfinished frames and messages, and messages not taken. Never more than came, and bounded
    /// by what the channels' credit and longest message allow.
    package var heldBytes: Int {
        parser.pendingBytes + channels.reduce(0) { $0 + $1.assembler.unfinishedBytes } + held.reduce(0) { $0 + $1.body.count } + events.bodyBytes + direct.bodyBytes
    }
}

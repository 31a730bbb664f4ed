import FasciaCarrier
import FasciaWire

/// A connection of the phone's.
final class SessionOwnershipLink: OwnershipLink {
    private let session: LinkSession

    init(_ session: LinkSession) { self.session = session }

    var isGoverned: Bool { session.welcome.channels.contains(UInt32(ChannelID.ownership.rawValue)) }
    func send(_ request: [UInt8]) { session.send(channel: ChannelID.ownership.rawValue, type: MessageType.ownershipRequest, body: request) }
}

extension CarMessage {
    /// Moves about on the screen: nothing for a phone whose screen the car has (spec/ownership.md, O-20).
    var isScreenInput: Bool {
        switch self {
        case .touch(let event): event.phase == .began || event.phase == .moved
        case .knob, .touchpad: true
        case .key(let event): event.key == .home || event.key == .back
        case .vehicle, .presented: false
        }
    }
}

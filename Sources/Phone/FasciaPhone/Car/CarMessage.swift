import FasciaWire

/// A message of the car's that is for the screen, decoded and checked.
package enum CarMessage: Equatable {
    case touch(TouchEvent)
    case knob(KnobEvent)
    case key(KeyEvent)
    case touchpad(TouchpadEvent)
    case vehicle(VehicleState)
    case presented(Presented)

    /// A field that no sound head unit sends (spec: BAD_MESSAGE).
    package struct BadField: Error, CustomStringConvertible {
        package let description: String
    }

    /// Nil for messages that are for somebody else.
    /// - Parameter display: channel of the screen.
    /// - Throws: when the body does not decode, or a number in it is none.
    package init?(channel: ChannelID, type: UInt16, body: [UInt8], display: ChannelID) throws {
        switch (channel, type) {
        case (.input, MessageType.touch):
            let event = try TouchEvent(serializedBytes: body)
            guard event.x.isFinite, event.y.isFinite else { throw BadField(description: "a touch at \(event.x), \(event.y)") }
            self = .touch(event)
        case (.input, MessageType.knob): self = .knob(try KnobEvent(serializedBytes: body))
        case (.input, MessageType.key): self = .key(try KeyEvent(serializedBytes: body))
        case (.input, MessageType.touchpad):
            let event = try TouchpadEvent(serializedBytes: body)
            guard event.dx.isFinite, event.dy.isFinite else { throw BadField(description: "a stroke by \(event.dx), \(event.dy)") }
            self = .touchpad(event)
        case (.vehicle, MessageType.vehicleState): self = .vehicle(try VehicleState(serializedBytes: body))
        case (display, MessageType.presented): self = .presented(try Presented(serializedBytes: body))
        default: return nil
        }
    }

    /// Sequence number of an input event.
    var inputSequence: UInt32? {
        switch self {
        case .touch(let event): event.sequence
        case .knob(let event): event.sequence
        case .key(let event): event.sequence
        case .touchpad(let event): event.sequence
        case .vehicle, .presented: nil
        }
    }
}

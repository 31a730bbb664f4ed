import FasciaWire
import SwiftProtobuf

/// Numbers input events, sends them to the phone and remembers when, so that the frame they cause can be timed.
@MainActor
struct InputReporter {
    /// Sent events remembered for timing.
    static let remembered = 1_024

    struct Sent {
        var time: UInt64
        /// Bytes received from the phone until then.
        var bytesIn: UInt64
    }

    struct Receiver {
        var session: PhoneSession
        var link: any PhoneLink
    }

    private var sent: [UInt32: Sent] = [:]
    private var lastMeasured: UInt32 = 0

    mutating func reset() { self = InputReporter() }

    mutating func touch(_ phase: TouchEvent.Phase, x: Double, y: Double, to receiver: Receiver, now: UInt64) {
        send(.touch, receiver, now) { sequence in
            TouchEvent.with {
                $0.phase = phase
                $0.x = Float(x)
                $0.y = Float(y)
                $0.timeNs = now
                $0.sequence = sequence
                $0.screen = UInt32(ScreenProfile.channel.rawValue)
            }
        }
    }

    mutating func knob(_ action: KnobEvent.Action, detents: Int = 0, to receiver: Receiver, now: UInt64) {
        send(.knob, receiver, now) { sequence in
            KnobEvent.with {
                $0.action = action
                $0.detents = Int32(detents)
                $0.timeNs = now
                $0.sequence = sequence
            }
        }
    }

    mutating func key(_ key: KeyEvent.Key, pressed: Bool, to receiver: Receiver, now: UInt64) {
        send(.key, receiver, now) { sequence in
            KeyEvent.with {
                $0.key = key
                $0.pressed = pressed
                $0.timeNs = now
                $0.sequence = sequence
            }
        }
    }

    mutating func touchpad(_ phase: TouchpadEvent.Phase, dx: Double, dy: Double, to receiver: Receiver, now: UInt64) {
        send(.touchpad, receiver, now) { sequence in
            TouchpadEvent.with {
                $0.phase = phase
                $0.dx = Float(dx)
                $0.dy = Float(dy)
                $0.timeNs = now
                $0.sequence = sequence
            }
        }
    }

    /// The first frame that shows the effect of input `sequence` is on the screen.
    /// - Returns: milliseconds and received bytes since that input, once for each input.
    mutating func measured(causedBy sequence: UInt32, now: UInt64, bytesIn: UInt64) -> (milliseconds: Double, bytes: Double)? {
        guard sequence > lastMeasured, let event = sent[sequence] else { return nil }
        lastMeasured = sequence
        sent = sent.filter { $0.key > sequence }
        return (Double(now &- event.time) / 1e6, Double(bytesIn &- min(bytesIn, event.bytesIn)))
    }

    private enum Kind {
        case touch, knob, key, touchpad
        var type: UInt16 {
            switch self {
            case .touch: MessageType.touch
            case .knob: MessageType.knob
            case .key: MessageType.key
            case .touchpad: MessageType.touchpad
            }
        }
    }

    private mutating func send(_ kind: Kind, _ receiver: Receiver, _ now: UInt64, _ message: (UInt32) -> some SwiftProtobuf.Message) {
        receiver.session.inputSequence &+= 1
        let sequence = receiver.session.inputSequence
        if sent.count >= Self.remembered { sent.removeAll() }
        sent[sequence] = Sent(time: now, bytesIn: receiver.link.figures.bytesIn)
        guard let body: [UInt8] = try? message(sequence).serializedBytes() else { return }
        receiver.link.send(channel: .input, type: kind.type, body: body)
    }
}

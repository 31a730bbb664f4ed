import FasciaPhone
import FasciaWire
import FuzzCore

/// Input: which message (1 byte), then its body.
@Sendable func checkCarMessage(_ input: [UInt8]) -> String? {
    guard let first = input.first else { return nil }
    let messages: [(ChannelID, UInt16)] = [
        (.input, MessageType.touch), (.input, MessageType.knob), (.input, MessageType.key), (.input, MessageType.touchpad),
        (.vehicle, MessageType.vehicleState), (.mainDisplay, MessageType.presented), (.semantics, MessageType.semanticsUpdate),
    ]
    let (channel, type) = messages[Int(first) % messages.count]
    guard let message = try? CarMessage(channel: channel, type: type, body: Array(input.dropFirst()), display: .mainDisplay) else { return nil }
    switch message {
    case .touch(let touch): return touch.x.isFinite && touch.y.isFinite ? nil : "a touch at no place"
    case .touchpad(let stroke): return stroke.dx.isFinite && stroke.dy.isFinite ? nil : "a stroke by no distance"
    case .knob, .key, .vehicle, .presented: return channel == .semantics ? "a message of another channel" : nil
    }
}

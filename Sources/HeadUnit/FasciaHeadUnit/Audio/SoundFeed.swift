import FasciaWire
import Synchronization

/// Takes one connection's sound messages from its event loop. What comes before the connection is known here waits for it.
package final class SoundFeed: Sendable {
    /// Messages that may wait, until the main actor has dealt with the connection; of six streams, half a second's worth.
    private static let maximumWaiting = 512

    private struct Message {
        var channel: ChannelID
        var type: UInt16
        var body: [UInt8]
        var arrival: UInt64
    }

    private enum Stage {
        case waiting([Message])
        case connected
        case over
    }

    private let sound: CarSound
    private let id: UInt64
    private let stage = Mutex(Stage.waiting([]))

    init(_ sound: CarSound, id: UInt64) {
        self.sound = sound
        self.id = id
    }

    package func connected(_ link: any SoundLink) {
        stage.withLock { stage in
            guard case .waiting(let messages) = stage else { return }
            sound.connected(id, link)
            for message in messages { sound.received(id, message.channel, message.type, message.body, arrival: message.arrival) }
            stage = .connected
        }
    }

    package func received(_ channel: ChannelID, _ type: UInt16, _ body: [UInt8], arrival: UInt64) {
        let isConnected = stage.withLock { stage in
            switch stage {
            case .connected: return true
            case .over: return false
            case .waiting(var messages):
                guard messages.count < Self.maximumWaiting else { return false }
                messages.append(Message(channel: channel, type: type, body: body, arrival: arrival))
                stage = .waiting(messages)
                return false
            }
        }
        if isConnected { sound.received(id, channel, type, body, arrival: arrival) }
    }

    package func disconnected() {
        stage.withLock { $0 = .over }
        sound.disconnected(id)
    }
}

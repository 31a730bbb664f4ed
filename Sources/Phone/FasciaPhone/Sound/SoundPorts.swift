import FasciaAppSound
import FasciaCarrier
import FasciaWire

/// The way to an app. In the phone its socket, in tests a list.
package protocol AppSoundPort: AnyObject {
    /// False when it was dropped: the app does not read, or is gone.
    func send(_ datagram: SoundToApp) -> Bool
}

extension PhoneSoundSocket: AppSoundPort {}

/// The way to the car, for one connection.
package protocol SoundLink: AnyObject {
    var welcome: Welcome { get }
    /// False when it was refused.
    func send(_ channel: ChannelID, _ type: UInt16, _ body: [UInt8]) -> Bool
    func queuedBytes(_ channel: ChannelID) -> Int
    /// The car broke a rule.
    func fail(_ detail: String)
}

/// A connection of the phone's.
final class SessionSoundLink: SoundLink, Sendable {
    private let session: LinkSession

    init(_ session: LinkSession) { self.session = session }

    var welcome: Welcome { session.welcome }
    func send(_ channel: ChannelID, _ type: UInt16, _ body: [UInt8]) -> Bool { session.send(channel: channel.rawValue, type: type, body: body) == .queued }
    func queuedBytes(_ channel: ChannelID) -> Int { session.queuedBytes(channel: channel.rawValue) }
    func fail(_ detail: String) { session.close(.badMessage, detail: detail) }
}

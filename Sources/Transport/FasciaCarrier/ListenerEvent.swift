import FasciaLink
import FasciaTLS
import FasciaWire

/// What a listener tells its owner.
public enum ListenerEvent: Sendable {
    /// A connection got further.
    case phase(ConnectPhase, CarrierAddress)
    /// A paired phone wants a session: answer within 5 s. After `accept` comes `session`.
    case helloReceived(Hello, RemotePeer, HelloReply)
    case session(LinkSession)
    /// A phone is there to pair: show the code.
    case pairingStarted(CarrierAddress)
    case paired(PairedPeer)
    /// - Parameter lockedFor: nanoseconds until pairing is possible again; `nil` when it is possible now.
    case pairingFailed(CarrierError, CarrierAddress, lockedFor: UInt64?)
    /// A connection that came to nothing.
    case rejected(CarrierAddress, CarrierError)
}

/// The answer to a phone's Hello. Only the first one counts.
public struct HelloReply: Sendable {
    let core: LinkCore
    let session: @Sendable (Welcome) -> LinkSession

    /// - Parameter welcome: what this head unit offers; version, limits, timing and channels are worked out against the Hello.
    public func accept(_ welcome: Welcome) { core.accept(welcome) }

    /// As `accept`, but the session is there at once, with what the phone sent behind its Hello, and is not told as an event: no way
    /// through the event loop and back before the first frame. `nil` when the connection has ended.
    public func take(_ welcome: Welcome) -> LinkSession? { core.take(welcome).map(session) }

    /// What the phone has said behind its Hello on a channel, for a session that goes on: it may be shown before the answer is written. It
    /// does not come again.
    public func takeHeld(on channel: UInt16) -> [(type: UInt16, body: [UInt8])] { core.inspect { $0.takeHeld(on: ChannelID(rawValue: channel)) } }

    /// False when the connection has ended: nobody waits for an answer.
    public var isAwaited: Bool { core.inspect { !$0.isClosed } }

    public func refuse(_ code: CloseCode, detail: String) { core.close(code, detail: detail) }
}

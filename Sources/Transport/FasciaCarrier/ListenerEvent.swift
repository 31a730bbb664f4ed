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

    /// - Parameter welcome: what this head unit offers; version, limits, timing and channels are worked out against the Hello.
    public func accept(_ welcome: Welcome) { core.accept(welcome) }

    public func refuse(_ code: CloseCode, detail: String) { core.close(code, detail: detail) }
}

import FasciaTLS
import NIOCore

/// How long the steps of connecting may take. After TLS the link's own times hold (spec: Timers and limits).
public struct CarrierTimeouts: Sendable {
    /// Until TCP is connected.
    public var connect: TimeAmount
    /// From there until the TLS handshake is done.
    public var handshake: TimeAmount

    public init(connect: TimeAmount = .seconds(5), handshake: TimeAmount = TLSHandler.defaultHandshakeTimeout) {
        self.connect = connect
        self.handshake = handshake
    }
}

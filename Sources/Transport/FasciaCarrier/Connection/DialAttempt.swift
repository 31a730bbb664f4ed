import FasciaLink
import NIOCore

/// One TCP connection of a race. Used on its event loop only.
final class DialAttempt {
    let address: DialAddress
    private(set) weak var race: DialRace?
    var channel: (any Channel)?
    /// As the carrier it has said nothing for too long.
    var isDoubted = false
    var lastHeard: LinkInstant = 0
    var hasFailed = false
    /// It may use TCP Fast Open.
    private let isFast: Bool
    /// It may not stand yet, though it takes bytes: nothing was heard on it.
    var mayBeUnderWay: Bool { isFast && !hasHeard && !isKnownToStand }
    /// The kernel says so.
    var isKnownToStand = false
    var hasHeard = false
    private let begun = LinkInstant.current
    /// When TCP stood.
    private(set) var stoodAt: LinkInstant = 0
    var stands: Bool { stoodAt != 0 }
    /// From the first SYN to the establishment, in nanoseconds.
    var connectTime: UInt64 { stoodAt - min(stoodAt, begun) }

    init(_ address: DialAddress, _ race: DialRace, isFast: Bool) {
        self.address = address
        self.isFast = isFast
        self.race = race
    }

    func established() {
        guard let race else { return close() } // given up while a name was looked up
        stoodAt = .current
        race.established(self)
    }

    func close() {
        race = nil
        channel?.close(promise: nil)
    }

    /// Ends it with a reset: what the head unit has not read of it is lost.
    func breakOff() {
        race = nil
        if let channel, channel.isActive { CutHandler.reset(channel) } else { channel?.close(promise: nil) }
    }
}

/// First in the pipeline of an attempt: tells that TCP stands before anything is read from or written to it, and when bytes came.
final class DialEntry: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    private let attempt: DialAttempt

    init(_ attempt: DialAttempt) { self.attempt = attempt }

    func channelActive(context: ChannelHandlerContext) {
        attempt.channel = context.channel // of a name's addresses several are tried
        attempt.established()
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if attempt.race != nil {
            attempt.lastHeard = .current
            attempt.hasHeard = true
        }
        context.fireChannelRead(data)
    }

    func channelInactive(context: ChannelHandlerContext) {
        context.fireChannelInactive()
        attempt.race?.failed(attempt, CarrierError(.connectionLost, .network, "the connection to \(attempt.address.address) ended before it was ready"))
    }
}

/// An address to dial, looked at once.
struct DialAddress: Equatable {
    let address: CarrierAddress
    /// `nil` for a name, which is looked up without holding up the event loop.
    let numeric: SocketAddress?

    init(_ address: CarrierAddress) {
        self.address = address
        if let numeric = try? SocketAddress(ipAddress: address.host, port: address.port) {
            self.numeric = numeric
        } else {
            // A scope (%eth0) is understood by the resolver only, which does not ask the network about a numeric address.
            numeric = address.host.contains("%") ? try? SocketAddress.makeAddressResolvingHost(address.host, port: address.port) : nil
        }
    }
}

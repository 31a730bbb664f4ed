import FasciaLink
import FasciaTLS
import Glibc
import NIOCore

/// A first connection that only has to be sent: its socket is open, its ClientHello and the early data behind it are made. They take
/// longer to make than the path within a car takes to carry them. Used on one event loop.
final class ReadyFlight {
    /// After which it is made anew. A server takes early data only from a client that knows the age of its ticket to some seconds (RFC
    /// 8446, 8.3; OpenSSL: 9 s), and the link has 5 s to be welcomed from here.
    static let lifetime = TimeAmount.seconds(3)

    let address: DialAddress
    let owner: SessionDial
    let tls: TLSHandler
    let link: LinkHandler
    private let target: SocketAddress
    private var descriptor: Int32

    /// Nil when it is not possible: the way without it may still be.
    init?(_ plan: DialPlan, _ loop: any EventLoop) {
        guard let draft = plan.draft, let address = plan.addresses.first, let target = address.numeric, let engine = try? plan.makeEngine() else { return nil }
        self.address = address
        self.target = target
        owner = SessionDial(plan, address.address, loop, flight: draft.make)
        link = LinkHandler(engine, owner: owner, loop: loop)
        tls = TLSHandler(engine, handshakeTimeout: plan.timeouts.handshake)
        let family: Int32
        switch target {
        case .v4: family = AF_INET
        case .v6: family = AF_INET6
        case .unixDomainSocket: return nil
        }
        descriptor = socket(family, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue), Int32(IPPROTO_TCP))
        guard descriptor >= 0 else { return nil }
        ChannelSetup.setClientOptions(descriptor)
        tls.prepare { [link] in link.flight(upTo: $0) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Connects and sends what the kernel takes at once; the rest goes when a channel has the socket.
    /// - Returns: the socket, which is the caller's then; nil when the kernel knows of no way.
    func send() -> Int32? {
        let result = target.withSockAddr { connect(descriptor, $0, socklen_t($1)) }
        guard result == 0 || errno == EINPROGRESS else { return nil }
        if var bytes = tls.engine.takeOutbound() {
            let written = bytes.withUnsafeReadableBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if written > 0 { bytes.moveReaderIndex(forwardBy: written) }
            if bytes.readableBytes > 0 { tls.unsent = bytes } // an error comes again, to who can deal with it
        }
        // The kernel wakes a reader on the processor that wrote, even if another is idle. Where car and phone are one machine, the car
        // would wait there until this loop has set up its channel and the phone has told its user, 0.5 ms; until the car answers there is
        // nothing to do here. One yield lets one other thread go first, which need not be the car's.
        for _ in 0..<3 { sched_yield() }
        defer { descriptor = -1 }
        return descriptor
    }
}

import FasciaLink
import FasciaTLS
import FasciaWire
import Glibc
import NIOCore

/// Owner of a connection a listener accepted, until a session or a pairing takes over.
final class InboundConnection: LinkOwner {
    private let listener: LinkListener
    private let channel: any Channel
    private let address: CarrierAddress
    private var tls: TLSEstablished?
    private var hello: Hello?
    private var isSettled = false // told how it ended

    init(_ listener: LinkListener, _ channel: any Channel, _ address: CarrierAddress) {
        self.listener = listener
        self.channel = channel
        self.address = address
    }

    func secured(_ tls: TLSEstablished) -> Bool {
        self.tls = tls
        if tls.applicationProtocol != .pairing { listener.secured(channel, tls.peer) }
        listener.tell(.phase(phase(.secured, tls), address))
        return true
    }

    func setup() -> LinkSetup? {
        var configuration = LinkConfiguration(role: .headUnit, mode: tls?.applicationProtocol == .pairing ? .pairing : .session, greaseSeed: listener.greaseSeed)
        configuration.channels = listener.channels
        return LinkSetup(configuration: configuration)
    }

    func helloReceived(_ hello: Hello, on core: LinkCore) {
        guard let peer else { return core.close(.internalError, detail: "") }
        // Of a connection that was given up while this process could not read it, the Hello is still there (spec 8.7, R-9).
        let bound = NIOLoopBound(self, eventLoop: channel.eventLoop)
        TransportOptions.progress(channel).whenComplete { progress in
            if (try? progress.get())?.isReset != true { bound.value.tell(hello, peer, core) }
        }
    }

    private func tell(_ hello: Hello, _ peer: RemotePeer, _ core: LinkCore) {
        self.hello = hello
        listener.tell(.helloReceived(hello, peer, HelloReply(core: core) { welcome in
            LinkSession(remote: peer, hello: hello, welcome: welcome, core: core)
        }))
        sched_yield() // who shows the first frame may have been woken on this processor: that comes before TLS's last words
    }

    func established(_ welcome: Welcome, on core: LinkCore) {
        guard let peer, let hello, let tls else { return core.close(.internalError, detail: "") }
        listener.decided(channel)
        isSettled = true
        listener.tell(.phase(phase(.negotiated, tls), address))
        listener.tell(.session(LinkSession(remote: peer, hello: hello, welcome: welcome, core: core)))
    }

    func taken() {
        listener.decided(channel)
        isSettled = true
    }

    func pairing(on core: LinkCore, exporter: [UInt8]) {
        guard let tls else { return }
        isSettled = true
        switch listener.pairingOffer() {
        case .refused(let code, let reason):
            core.close(code, detail: reason)
            listener.tell(.rejected(address, CarrierError(.pairingUnavailable, .local, reason)))
        case .allowed(_, let policy):
            listener.tell(.pairingStarted(address))
            let link = PairingLink(core: core, peer: tls.peer, exporter: exporter)
            let begin = { @Sendable [listener, channel] in
                listener.admitted(channel)
                return listener.beginPairing()
            }
            pair(HeadUnitPairing(
                link: link, headUnit: listener.identity.fingerprint, lockout: policy.lockout, trust: listener.trust, address: address,
                begin: begin, end: listener.endPairing))
        }
    }

    private func pair(_ pairing: HeadUnitPairing) {
        let listener = listener
        Task {
            switch await pairing.run() {
            case .paired(let peer):
                listener.tell(.paired(peer))
            case .notStarted(let error):
                listener.tell(.rejected(pairing.address, error))
            case .failed(let error):
                let rest: UInt64? = if case .locked(let rest) = pairing.lockout.verdict { rest } else { nil }
                listener.tell(.pairingFailed(error, pairing.address, lockedFor: rest))
            }
        }
    }

    func failed(_ error: CarrierError) {
        guard !isSettled else { return }
        isSettled = true
        listener.decided(channel)
        listener.tell(.rejected(address, error))
    }

    func ended() {
        failed(CarrierError(.connectionLost, .network, "the connection ended before it was ready"))
    }

    private func phase(_ kind: ConnectPhase.Kind, _ tls: TLSEstablished) -> ConnectPhase {
        ConnectPhase(kind: kind, at: .current, isResumed: tls.isResumed, earlyData: tls.earlyData, address: address)
    }

    private var peer: RemotePeer? {
        tls.map { RemotePeer(name: listener.trust.peer($0.peer)?.name ?? $0.peer.short, fingerprint: $0.peer, address: address) }
    }
}

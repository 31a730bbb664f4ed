import COpenSSL
import NIOCore

/// One TLS 1.3 connection over memory: takes bytes, gives bytes, does no I/O. Not thread-safe.
///
///     handshaking ---------------complete--> open --close_notify--> closed
///       |   \--early (server)--> early --^    |
///       +------- failed <-----------+--------+      (stays failed; every call returns the same error)
///
/// Early data (RFC 8446, 2.3): a client with a good ticket may ``offer(_:)`` bytes that leave with its first packet. A server that takes
/// them is `early`: it knows the peer, reads and writes, while the handshake still goes on. What a server does not take is sent again.
public final class TLSEngine {
    /// How far the handshake is.
    public enum Step: Equatable {
        /// More bytes from the peer are needed.
        case incomplete
        case complete
        /// Server: early data is there to be read, its sender is known and accepted, and may be answered. The handshake goes on.
        case early
        case failed(TLSError)
    }

    /// What came of reading.
    public enum ReadOutcome: Equatable {
        /// All there was has been read.
        case incomplete
        /// The peer said that it sends no more.
        case closed
        case failed(TLSError)
    }

    static let exDataIndex: Int32 = 0 // what OpenSSL calls app data

    let context: TLSContext
    let protocols: [ApplicationProtocol]
    let accepts: (ApplicationProtocol, Fingerprint) -> Bool
    private let ssl: OpaquePointer
    private let transport: TransportBIO
    private var failure: TLSError?
    private var refusal: TLSError?
    private var sawFirstBytes = false
    /// Client: the ticket, while nothing shows that the server was reached.
    private var hasSpoken = false
    private var unspent: (ticket: TicketCache.Ticket, peer: Fingerprint)?

    /// Server: the client offers ``ApplicationProtocol/link``.
    var offersLink = false
    /// Server: the peer whose ticket was accepted, as its pin was asked for.
    var ticketPeer: Fingerprint?
    /// Client: sent before the handshake, kept in case it has to be sent again.
    private var offered = ByteBuffer()
    private var isOfferSent = false
    /// Server: early data not yet given to who reads.
    private var earlyInbound = ByteBuffer()
    private var mayComeEarly: Bool

    /// The peer's pin, after the handshake or with early data.
    public private(set) var peer: Fingerprint?
    /// What became of early data; a client knows after the handshake.
    public private(set) var earlyData = TLSEarlyData.none
    /// The protocol agreed on, after the handshake or with early data.
    public private(set) var agreedProtocol: ApplicationProtocol?
    /// The handshake is done, and the peer is accepted.
    public private(set) var isComplete = false

    /// - Parameters:
    ///   - protocols: offered by a client, known to a server; the first common one of the server's list is spoken.
    ///   - expecting: the peer a client means to reach: its ticket is used, if there is one.
    ///   - accepts: whether a peer with that key may speak that protocol; asked in every handshake, resumed or not.
    public init(
        _ context: TLSContext, protocols: [ApplicationProtocol], expecting: Fingerprint? = nil,
        accepts: @escaping (ApplicationProtocol, Fingerprint) -> Bool
    ) throws(TLSError) {
        ERR_clear_error()
        guard let ssl = SSL_new(context.pointer) else { throw OpenSSLErrorQueue.failure("Making a TLS connection") }
        guard let (transport, bio) = TransportBIO.make() else {
            SSL_free(ssl)
            throw OpenSSLErrorQueue.failure("Making a TLS connection")
        }
        SSL_set_bio(ssl, bio, bio)
        self.context = context
        self.protocols = protocols
        self.accepts = accepts
        self.ssl = ssl
        self.transport = transport
        mayComeEarly = context.role == .server
        SSL_set_ex_data(ssl, Self.exDataIndex, Unmanaged.passUnretained(self).toOpaque())
        switch context.role {
        case .server:
            SSL_set_accept_state(ssl)
        case .client:
            SSL_set_connect_state(ssl)
            let list = ApplicationProtocol.wireList(protocols)
            guard SSL_set_alpn_protos(ssl, list, UInt32(list.count)) == 0 else { throw OpenSSLErrorQueue.failure("Setting ALPN") }
            if let expecting, protocols == [.link], let ticket = context.tickets.take(for: expecting) {
                use(ticket)
                unspent = (ticket, expecting)
            }
        }
    }

    deinit {
        SSL_set_ex_data(ssl, Self.exDataIndex, nil)
        transport.detach()
        // Else OpenSSL makes the tickets of a connection that was cut off useless, just when they are wanted.
        SSL_set_shutdown(ssl, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN)
        SSL_free(ssl)
        if let unspent { context.tickets.giveBack(unspent.ticket, for: unspent.peer, isFresh: !hasSpoken) }
    }

    /// Bytes from the peer.
    public func receive(_ bytes: ByteBuffer) {
        if !sawFirstBytes, let first = bytes.getInteger(at: bytes.readerIndex, as: UInt8.self) {
            sawFirstBytes = true
            // A TLS record begins with its type: handshake 22, or alert 21 (RFC 8446, 5.1).
            if first != 22, first != 21 {
                failure = TLSError(.notTLS, .remote, "the peer does not speak TLS (its first byte is \(first)); is this the right port?")
                return
            }
        }
        unspent = nil
        transport.receive(bytes)
    }

    var isClient: Bool { context.role == .client }

    /// Bytes from the peer that were not read.
    var unreadBytes: Int { transport.inbound.readableBytes }

    /// Bytes for the peer, `nil` when there are none.
    public func takeOutbound() -> ByteBuffer? {
        hasSpoken = true
        return transport.takeOutbound()
    }

    /// Goes on with the handshake as far as the received bytes reach.
    public func handshake() -> Step {
        if let failure { return .failed(failure) }
        if isComplete { return .complete }
        if mayComeEarly, let step = readEarly() { return step }
        if let error = sendOffer() { return .failed(error) }
        ERR_clear_error()
        let result = SSL_do_handshake(ssl)
        guard result == 1 else {
            let error = SSL_get_error(ssl, result)
            if error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE { return earlyData == .accepted && context.role == .server ? .early : .incomplete }
            return .failed(fail(error))
        }
        if earlyData == .none || context.role == .client, let error = checkPeer() {
            failure = error
            return .failed(error)
        }
        isComplete = true
        switch context.role {
        case .client: if let error = settleOffer() { return .failed(error) }
        case .server:
            // One more than was used up, for those that race and come to nothing. It leaves now, and not with what the driver waits for.
            if isResumed, SSL_new_session_ticket(ssl) == 1 { _ = SSL_do_handshake(ssl) }
        }
        return .complete
    }

    // MARK: - Early data

    /// Client: how many bytes may be offered now; 0 without a ticket that allows it.
    public var earlyDataLimit: Int {
        guard context.role == .client, context.tickets.use == .earlyData, !isOfferSent, let session = SSL_get_session(ssl) else { return 0 }
        var name: UnsafePointer<UInt8>?
        var length = 0
        SSL_SESSION_get0_alpn_selected(session, &name, &length)
        guard let name, protocols.contains(where: { $0.name.utf8.elementsEqual(UnsafeBufferPointer(start: name, count: length)) }) else { return 0 }
        return min(Int(SSL_SESSION_get_max_early_data(session)), TLSContext.maximumEarlyData)
    }

    /// Client, before the handshake: bytes to send with the first packet, at most ``earlyDataLimit``. Whether the server takes them or
    /// they have to be sent again is seen to here.
    public func offer(_ bytes: ByteBuffer) { offered = bytes }

    /// Client, before the handshake.
    func use(_ ticket: TicketCache.Ticket) { _ = SSL_set_session(ssl, ticket.session) }

    private func sendOffer() -> TLSError? {
        guard offered.readableBytes > 0, !isOfferSent else { return nil }
        isOfferSent = true
        ERR_clear_error()
        var written = 0
        let result = offered.withUnsafeReadableBytes { SSL_write_early_data(ssl, $0.baseAddress, $0.count, &written) }
        return result == 1 ? nil : fail(SSL_get_error(ssl, result))
    }

    /// What a client that breaks the limit would do, for tests: false when OpenSSL does not let it.
    func offerAgain(_ bytes: ByteBuffer) -> Bool {
        ERR_clear_error()
        var written = 0
        defer { ERR_clear_error() }
        return bytes.withUnsafeReadableBytes { SSL_write_early_data(ssl, $0.baseAddress, $0.count, &written) } == 1
    }

    private func settleOffer() -> TLSError? {
        guard isOfferSent else { return nil }
        let bytes = offered
        offered = ByteBuffer()
        guard SSL_get_early_data_status(ssl) != SSL_EARLY_DATA_ACCEPTED else {
            earlyData = .accepted
            return nil
        }
        earlyData = .rejected
        return write(bytes)
    }

    /// Server. `nil`: there is no (more) early data, the handshake goes on as usual.
    private func readEarly() -> Step? {
        while true {
            ERR_clear_error()
            var result: Int32 = 0
            earlyInbound.writeWithUnsafeMutableBytes(minimumWritableBytes: Self.recordSize) { target in
                var count = 0
                result = SSL_read_early_data(ssl, target.baseAddress, target.count, &count)
                return result == SSL_READ_EARLY_DATA_SUCCESS ? count : 0
            }
            switch result {
            case SSL_READ_EARLY_DATA_SUCCESS:
                if earlyData == .accepted { continue }
                // The pin was asked for when the ticket was looked up.
                guard let ticketPeer, let negotiated = negotiatedProtocol else { return .failed(fail(SSL_ERROR_SSL)) }
                (peer, agreedProtocol, earlyData) = (ticketPeer, negotiated, .accepted)
            case SSL_READ_EARLY_DATA_FINISH:
                mayComeEarly = false
                return nil
            default:
                let error = SSL_get_error(ssl, result)
                guard error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE else { return .failed(fail(error)) }
                return earlyData == .accepted ? .early : .incomplete
            }
        }
    }

    /// Server: early data that came since the last call.
    private func takeEarly(into buffer: inout ByteBuffer) {
        guard earlyInbound.readableBytes > 0 else { return }
        if buffer.readableBytes == 0 { swap(&buffer, &earlyInbound) } else { buffer.writeBuffer(&earlyInbound) }
        earlyInbound = ByteBuffer()
    }

    /// Appends all decrypted bytes to `buffer`.
    public func read(into buffer: inout ByteBuffer) -> ReadOutcome {
        if let failure { return .failed(failure) }
        takeEarly(into: &buffer)
        if !isComplete { return .incomplete }
        while true {
            ERR_clear_error()
            var result: Int32 = 0
            buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: Self.recordSize) { target in
                var count = 0
                result = SSL_read_ex(ssl, target.baseAddress, target.count, &count)
                return result == 1 ? count : 0
            }
            if result == 1 { continue }
            switch SSL_get_error(ssl, result) {
            case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .incomplete
            case SSL_ERROR_ZERO_RETURN: return .closed
            case let error: return .failed(fail(error))
            }
        }
    }

    /// Encrypts `bytes`; the result is in ``takeOutbound()``. Only after the handshake, or in answer to early data.
    public func write(_ bytes: ByteBuffer) -> TLSError? {
        if let failure { return failure }
        guard bytes.readableBytes > 0 else { return nil }
        ERR_clear_error()
        var written = 0
        let result = bytes.withUnsafeReadableBytes {
            isComplete ? SSL_write_ex(ssl, $0.baseAddress, $0.count, &written) : SSL_write_early_data(ssl, $0.baseAddress, $0.count, &written)
        }
        return result == 1 ? nil : fail(SSL_get_error(ssl, result))
    }

    /// Says that nothing more will be sent (close_notify).
    public func shutdown() {
        guard isComplete, failure == nil else { return }
        ERR_clear_error()
        _ = SSL_shutdown(ssl)
        ERR_clear_error()
    }

    /// Whether a session ticket spared the certificates.
    public var isResumed: Bool { SSL_session_reused(ssl) == 1 }

    /// Keying material both ends can compute and nobody else (RFC 8446, 7.5); `nil` before the handshake.
    public func export(label: String, length: Int) -> [UInt8]? {
        guard isComplete, length > 0 else { return nil }
        var material = [UInt8](repeating: 0, count: length)
        ERR_clear_error()
        guard SSL_export_keying_material(ssl, &material, length, label, label.utf8.count, nil, 0, 0) == 1 else { return nil }
        return material
    }

    /// What it means that the peer's connection ended now; `nil` after the handshake.
    public func transportEnded() -> TLSError? {
        guard !isComplete, failure == nil else { return failure }
        let what = sawFirstBytes ? "in the middle of the TLS handshake" : "without sending anything"
        let error = TLSError(.closedDuringHandshake, .remote, "the peer closed the connection \(what)")
        failure = error
        return error
    }

    // MARK: -

    private static let recordSize = 16_384 // RFC 8446, 5.1

    var negotiatedProtocol: ApplicationProtocol? {
        var name: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        SSL_get0_alpn_selected(ssl, &name, &length)
        guard let name, length > 0 else { return nil }
        let selected = UnsafeBufferPointer(start: name, count: Int(length))
        return protocols.first { $0.name.utf8.elementsEqual(selected) }
    }

    var noCommonProtocol: TLSError {
        TLSError(.applicationProtocol, .remote, "the peer speaks none of \(protocols.map(\.name).joined(separator: ", ")) (ALPN)")
    }

    /// The reason to give instead of OpenSSL's when the handshake fails now.
    func refuse(_ error: TLSError) { refusal = error }

    func admits(_ fingerprint: Fingerprint) -> Bool {
        guard let negotiated = negotiatedProtocol else {
            refuse(noCommonProtocol)
            return false
        }
        guard accepts(negotiated, fingerprint) else {
            refuse(TLSError(.untrustedPeer, .local, "the peer's key \(fingerprint.short)… is not one that was paired with; pair first", peer: fingerprint))
            return false
        }
        return true
    }

    private func checkPeer() -> TLSError? {
        guard let negotiated = negotiatedProtocol else { return noCommonProtocol }
        guard let certificate = SSL_get0_peer_certificate(ssl), let fingerprint = Fingerprint(certificate: certificate) else {
            return TLSError(.certificateMissing, .remote, "the peer sent no certificate")
        }
        guard admits(fingerprint) else { return refusal }
        agreedProtocol = negotiated
        peer = fingerprint
        return nil
    }

    private func fail(_ sslError: Int32) -> TLSError {
        let entry = OpenSSLErrorQueue.take()
        let error = refusal ?? TLSError.of(entry, sslError: sslError)
        failure = error
        return error
    }
}

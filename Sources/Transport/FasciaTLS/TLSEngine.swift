import COpenSSL
import NIOCore

/// One TLS 1.3 connection over memory: takes bytes, gives bytes, does no I/O. Not thread-safe.
///
///     handshaking --complete--> open --close_notify--> closed
///          |                      |
///          +------- failed <------+      (stays failed; every call returns the same error)
public final class TLSEngine {
    /// How far the handshake is.
    public enum Step: Equatable {
        /// More bytes from the peer are needed.
        case incomplete
        case complete
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

    /// The peer's pin, after the handshake.
    public private(set) var peer: Fingerprint?
    /// The protocol agreed on, after the handshake.
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
        SSL_set_ex_data(ssl, Self.exDataIndex, Unmanaged.passUnretained(self).toOpaque())
        switch context.role {
        case .server:
            SSL_set_accept_state(ssl)
        case .client:
            SSL_set_connect_state(ssl)
            let list = ApplicationProtocol.wireList(protocols)
            guard SSL_set_alpn_protos(ssl, list, UInt32(list.count)) == 0 else { throw OpenSSLErrorQueue.failure("Setting ALPN") }
            if let expecting, protocols == [.link], let ticket = context.tickets.take(for: expecting) {
                _ = SSL_set_session(ssl, ticket.session)
            }
        }
    }

    deinit {
        SSL_set_ex_data(ssl, Self.exDataIndex, nil)
        transport.detach()
        // Else OpenSSL makes the tickets of a connection that was cut off useless, just when they are wanted.
        SSL_set_shutdown(ssl, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN)
        SSL_free(ssl)
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
        transport.receive(bytes)
    }

    /// Bytes for the peer, `nil` when there are none.
    public func takeOutbound() -> ByteBuffer? { transport.takeOutbound() }

    /// Goes on with the handshake as far as the received bytes reach.
    public func handshake() -> Step {
        if let failure { return .failed(failure) }
        if isComplete { return .complete }
        ERR_clear_error()
        let result = SSL_do_handshake(ssl)
        guard result == 1 else {
            let error = SSL_get_error(ssl, result)
            if error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE { return .incomplete }
            return .failed(fail(error))
        }
        if let error = checkPeer() {
            failure = error
            return .failed(error)
        }
        isComplete = true
        return .complete
    }

    /// Appends all decrypted bytes to `buffer`.
    public func read(into buffer: inout ByteBuffer) -> ReadOutcome {
        if let failure { return .failed(failure) }
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

    /// Encrypts `bytes`; the result is in ``takeOutbound()``. Only after the handshake.
    public func write(_ bytes: ByteBuffer) -> TLSError? {
        if let failure { return failure }
        guard bytes.readableBytes > 0 else { return nil }
        ERR_clear_error()
        var written = 0
        let result = bytes.withUnsafeReadableBytes { SSL_write_ex(ssl, $0.baseAddress, $0.count, &written) }
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

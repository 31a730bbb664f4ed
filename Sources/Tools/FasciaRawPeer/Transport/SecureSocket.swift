import COpenSSL
import Glibc
import FasciaProcesses
import FasciaTLS

/// What one TLS connection offers: right by default, wrong where a case wants it.
package struct TLSOffer {
    package var maxVersion = TLS1_3_VERSION
    package var minVersion = TLS1_3_VERSION
    package var protocols = [ALPN.link]
    package var ciphers: String?
    package var groups: String?
    /// PEM of key and certificate; nil presents none.
    package var identity: [UInt8]?
    package var session: TLSSession?
    /// A client's first flight, sent before the handshake when the ticket allows it.
    package var earlyData: [UInt8] = []
    /// Whether a server takes tickets of this process's other connections.
    package var sharesTickets = false
    /// Whether a server's tickets invite early data. It is never accepted.
    package var invitesEarlyData = false

    package init(identity: [UInt8]?) { self.identity = identity }
}

/// Protocol names of the link (spec 4.2).
package enum ALPN {
    package static let link = "fascia/1", pairing = "fascia-pair/1"
}

/// What became of early data.
package enum EarlyDataFate: Sendable { case none, accepted, rejected }

/// A session ticket.
package final class TLSSession {
    package let pointer: OpaquePointer
    package init(_ pointer: OpaquePointer) { self.pointer = pointer }
    /// Early data may be sent with it.
    package var allowsEarlyData: Bool { SSL_SESSION_get_max_early_data(pointer) > 0 }
    deinit { SSL_SESSION_free(pointer) }
}

/// Why TLS did not come about, or ended.
package struct TLSFailure: Error, CustomStringConvertible {
    /// Of the alert received (RFC 8446, 6), if one was.
    package let alert: Int32?
    package let description: String
}

/// TLS with OpenSSL on a socket; nothing of this project's own TLS code, so that both are checked against each other.
package final class SecureSocket {
    package let plain: PlainSocket
    private let context: OpaquePointer
    private let ssl: OpaquePointer
    /// Of the peer's key, after the handshake.
    package private(set) var peer: Fingerprint?
    /// Tickets the peer sent, oldest first.
    package private(set) var sessions: [TLSSession] = []

    private init(_ plain: PlainSocket, server: Bool, _ offer: TLSOffer) throws {
        guard let context = SSL_CTX_new(server ? TLS_server_method() : TLS_client_method()), let ssl = SecureSocket.connection(context, offer, server: server) else {
            throw ToolError("OpenSSL cannot be set up: \(SecureSocket.reason())")
        }
        (self.plain, self.context, self.ssl) = (plain, context, ssl)
        SSL_set_fd(ssl, plain.descriptor)
        SSL_set_ex_data(ssl, 0, Unmanaged.passUnretained(self).toOpaque())
        if server { SSL_set_accept_state(ssl) } else { SSL_set_connect_state(ssl) }
    }

    deinit {
        SSL_set_ex_data(ssl, 0, nil)
        SSL_free(ssl)
        SSL_CTX_free(context)
    }

    private static func connection(_ context: OpaquePointer, _ offer: TLSOffer, server: Bool) -> OpaquePointer? {
        _ = fascia_SSL_CTX_set_min_proto_version(context, offer.minVersion)
        _ = fascia_SSL_CTX_set_max_proto_version(context, offer.maxVersion)
        if let ciphers = offer.ciphers { SSL_CTX_set_ciphersuites(context, ciphers) }
        if let groups = offer.groups { _ = fascia_SSL_CTX_set1_groups_list(context, groups) }
        // Whoever it is: the cases decide about the fingerprint.
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER) { _, _ in 1 }
        SSL_CTX_set_cert_verify_callback(context, { _, _ in 1 }, nil)
        if let identity = offer.identity, !use(identity, in: context) { return nil }
        if server {
            SSL_CTX_set_alpn_select_cb(context, chooseProtocol, nil)
            // The same for every connection of this process, so that its tickets are good for the next one.
            var keys = ticketKeys
            if offer.sharesTickets { SSL_CTX_ctrl(context, SSL_CTRL_SET_TLSEXT_TICKET_KEYS, keys.count, &keys) }
            SSL_CTX_set_session_id_context(context, [1], 1)
            SSL_CTX_set_max_early_data(context, offer.invitesEarlyData ? 16_384 : 0)
        } else {
            _ = fascia_SSL_CTX_set_session_cache_mode(context, Int(SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL_STORE))
            SSL_CTX_sess_set_new_cb(context, ticketReceived)
        }
        guard let ssl = SSL_new(context) else { return nil }
        let names = offer.protocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        if !server, !names.isEmpty { SSL_set_alpn_protos(ssl, names, UInt32(names.count)) }
        if let session = offer.session { SSL_set_session(ssl, session.pointer) }
        return ssl
    }

    private static func use(_ pem: [UInt8], in context: OpaquePointer) -> Bool {
        guard let bio = BIO_new_mem_buf(pem, Int32(pem.count)), let key = PEM_read_bio_PrivateKey(bio, nil, nil, nil) else { return false }
        defer { BIO_free(bio); EVP_PKEY_free(key) }
        guard let again = BIO_new_mem_buf(pem, Int32(pem.count)), let certificate = PEM_read_bio_X509(again, nil, nil, nil) else { return false }
        defer { BIO_free(again); X509_free(certificate) }
        return SSL_CTX_use_certificate(context, certificate) == 1 && SSL_CTX_use_PrivateKey(context, key) == 1
    }

    // MARK: Handshake

    package static func connect(_ plain: PlainSocket, _ offer: TLSOffer, within limit: Duration = Peer.patience) throws -> SecureSocket {
        let mayBeEarly = offer.session?.allowsEarlyData == true
        return try SecureSocket(plain, server: false, offer).handshaken(limit, early: mayBeEarly ? offer.earlyData : [])
    }

    package static func accept(_ plain: PlainSocket, _ offer: TLSOffer, within limit: Duration = Peer.patience) throws -> SecureSocket {
        try SecureSocket(plain, server: true, offer).handshaken(limit)
    }

    private func sendEarly(_ bytes: [UInt8], until deadline: ContinuousClock.Instant) throws {
        while !bytes.isEmpty {
            ERR_clear_error()
            var written = 0
            let result = SSL_write_early_data(ssl, bytes, bytes.count, &written)
            if result == 1 { return }
            try wait(SSL_get_error(ssl, result), "early data", until: deadline)
        }
    }

    /// What became of the early data, after the handshake.
    package var earlyDataFate: EarlyDataFate {
        switch SSL_get_early_data_status(ssl) {
        case SSL_EARLY_DATA_ACCEPTED: .accepted
        case SSL_EARLY_DATA_REJECTED: .rejected
        default: .none
        }
    }

    private func handshaken(_ limit: Duration, early: [UInt8] = []) throws -> SecureSocket {
        let deadline = ContinuousClock.now + limit
        try sendEarly(early, until: deadline)
        while true {
            ERR_clear_error()
            let result = SSL_do_handshake(ssl)
            if result == 1 { break }
            try wait(SSL_get_error(ssl, result), "the TLS handshake", until: deadline)
        }
        if let certificate = SSL_get0_peer_certificate(ssl) {
            var der: UnsafeMutablePointer<UInt8>?
            let length = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &der)
            var digest = [UInt8](repeating: 0, count: 32)
            if length > 0, let der {
                SHA256(der, Int(length), &digest)
                CRYPTO_free(der, #file, #line)
            }
            peer = Fingerprint(bytes: digest)
        }
        return self
    }

    private func wait(_ error: Int32, _ what: String, until deadline: ContinuousClock.Instant) throws {
        switch error {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE:
            guard plain.wait(forWriting: error == SSL_ERROR_WANT_WRITE, until: deadline) else { throw TLSFailure(alert: nil, description: "\(what) did not end in time") }
        default: throw failure(what, error)
        }
    }

    private func failure(_ what: String, _ error: Int32) -> any Error {
        let code = ERR_peek_error()
        let reason = fascia_ERR_GET_REASON(code)
        // Alerts received are numbered from SSL_AD_REASON_OFFSET; a connection that just ends is reason 294.
        if code != 0, reason >= 1_000, reason < 1_256 { return TLSFailure(alert: reason - 1_000, description: "\(what): alert \(reason - 1_000)") }
        if error == SSL_ERROR_ZERO_RETURN { return PlainSocket.Ended.fin }
        if error == SSL_ERROR_SYSCALL { return errno == ECONNRESET || errno == EPIPE ? PlainSocket.Ended.reset : PlainSocket.Ended.fin }
        if reason == SSL_R_UNEXPECTED_EOF_WHILE_READING { return PlainSocket.Ended.fin }
        return TLSFailure(alert: nil, description: "\(what): \(Self.reason())")
    }

    private static func reason() -> String { ERR_reason_error_string(ERR_peek_error()).map { String(cString: $0) } ?? "unknown" }

    // MARK: Bytes

    package var isResumed: Bool { SSL_session_reused(ssl) == 1 }

    package var agreedProtocol: String? {
        var name: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        SSL_get0_alpn_selected(ssl, &name, &length)
        return name.map { String(decoding: UnsafeBufferPointer(start: $0, count: Int(length)), as: UTF8.self) }
    }

    package func export(label: String, length: Int) -> [UInt8] {
        var material = [UInt8](repeating: 0, count: length)
        SSL_export_keying_material(ssl, &material, length, label, label.utf8.count, nil, 0, 0)
        return material
    }

    package func send(_ bytes: [UInt8], within limit: Duration = Peer.patience) throws {
        let deadline = ContinuousClock.now + limit
        var sent = 0
        while sent < bytes.count {
            ERR_clear_error()
            var count = 0
            let result = bytes.withUnsafeBytes { SSL_write_ex(ssl, $0.baseAddress?.advanced(by: sent), $0.count - sent, &count) }
            if result == 1 { sent += count } else { try wait(SSL_get_error(ssl, result), "writing", until: deadline) }
        }
    }

    /// What has arrived; empty when nothing came in time.
    package func receive(until deadline: ContinuousClock.Instant) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while true {
            ERR_clear_error()
            var count = 0
            let result = SSL_read_ex(ssl, &bytes, bytes.count, &count)
            if result == 1 { return Array(bytes[..<count]) }
            let error = SSL_get_error(ssl, result)
            guard error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE else { throw failure("reading", error) }
            guard plain.wait(forWriting: error == SSL_ERROR_WANT_WRITE, until: deadline) else { return [] }
        }
    }

    package func shutdown() {
        ERR_clear_error()
        SSL_shutdown(ssl)
        ERR_clear_error()
    }

    fileprivate func keep(_ session: OpaquePointer) { sessions.append(TLSSession(session)) }
}

private let ticketKeys = (0..<80).map { _ in UInt8.random(in: 0...255) }

private func ticketReceived(_ ssl: OpaquePointer?, _ session: OpaquePointer?) -> Int32 {
    guard let session, let object = SSL_get_ex_data(ssl, 0) else { return 0 }
    Unmanaged<SecureSocket>.fromOpaque(object).takeUnretainedValue().keep(session)
    return 1 // kept
}

/// Takes the first of ours that the client knows.
private func chooseProtocol(
    _: OpaquePointer?, _ chosen: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ length: UnsafeMutablePointer<UInt8>?, _ offered: UnsafePointer<UInt8>?,
    _ count: UInt32, _: UnsafeMutableRawPointer?
) -> Int32 {
    let list = UnsafeBufferPointer(start: offered, count: Int(count))
    for name in [ALPN.link, ALPN.pairing] {
        var at = 0
        while at < list.count {
            let size = Int(list[at])
            if at + 1 + size <= list.count, name.utf8.elementsEqual(list[(at + 1)..<(at + 1 + size)]) {
                chosen?.pointee = offered?.advanced(by: at + 1)
                length?.pointee = UInt8(size)
                return SSL_TLSEXT_ERR_OK
            }
            at += 1 + size
        }
    }
    return SSL_TLSEXT_ERR_ALERT_FATAL
}

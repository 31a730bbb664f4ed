import COpenSSL

/// What all connections of one endpoint have in common: its identity, TLS 1.3 only, and the keys of its session tickets.
///
/// Sendable: an `SSL_CTX` may be shared by threads once it is set up.
public final class TLSContext: @unchecked Sendable {
    public enum Role: Sendable { case client, server }

    let pointer: OpaquePointer
    let role: Role
    let identity: Identity
    /// Client only.
    public let tickets: TicketCache
    /// Server only.
    let issued = IssuedTickets()

    /// Most bytes a client may send before the handshake is done.
    public static let maximumEarlyData = 16_384
    /// Tickets a full handshake gives: as many connections may race before one of them must do a full handshake again. Every resumed
    /// one gives two for the one it used up.
    static let ticketsPerHandshake = 4
    /// Seconds a ticket is good for: the longest that RFC 8446, 4.6.1 allows. A car is used again next week.
    private static let ticketLifetime = 7 * 86_400

    /// - Parameter tickets: where a client keeps its session tickets; a server keeps its own.
    public init(_ role: Role, identity: Identity, tickets: TicketCache = TicketCache()) throws(TLSError) {
        ERR_clear_error()
        guard let context = SSL_CTX_new(role == .client ? TLS_client_method() : TLS_server_method()) else {
            throw OpenSSLErrorQueue.failure("Making a TLS context")
        }
        guard Self.setUp(context, role, identity) else {
            SSL_CTX_free(context)
            throw OpenSSLErrorQueue.failure("Setting up TLS")
        }
        pointer = context
        self.role = role
        self.identity = identity
        self.tickets = tickets
    }

    deinit { SSL_CTX_free(pointer) }

    private static func setUp(_ context: OpaquePointer, _ role: Role, _ identity: Identity) -> Bool {
        let verify = SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT
        guard fascia_SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION) == 1,
              fascia_SSL_CTX_set_max_proto_version(context, TLS1_3_VERSION) == 1,
              SSL_CTX_set_ciphersuites(context, "TLS_AES_128_GCM_SHA256:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_256_GCM_SHA384") == 1,
              fascia_SSL_CTX_set1_groups_list(context, "X25519:P-256") == 1,
              fascia_SSL_CTX_set1_sigalgs_list(context, "ECDSA+SHA256") == 1,
              SSL_CTX_use_certificate(context, identity.certificate) == 1,
              SSL_CTX_use_PrivateKey(context, identity.privateKey) == 1
        else { return false }
        SSL_CTX_set_verify(context, verify, nil)
        SSL_CTX_set_cert_verify_callback(context, tlsVerifyPeer, nil)
        _ = fascia_SSL_CTX_set_read_ahead(context, 1)
        switch role {
        case .client:
            _ = fascia_SSL_CTX_set_session_cache_mode(context, Int(SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL_STORE))
            SSL_CTX_sess_set_new_cb(context, tlsTicketReceived)
        case .server:
            let sessionContext = Array("fascia".utf8)
            // Early data makes OpenSSL's tickets ids of sessions it keeps, each good once. They are looked up in `issued`, which asks for
            // the pin; OpenSSL's own store only decides which of two connections with the same one is the first.
            _ = fascia_SSL_CTX_set_session_cache_mode(context, Int(SSL_SESS_CACHE_SERVER | SSL_SESS_CACHE_NO_INTERNAL_LOOKUP))
            _ = fascia_SSL_CTX_sess_set_cache_size(context, IssuedTickets.perPeer * IssuedTickets.peers)
            guard SSL_CTX_set_session_id_context(context, sessionContext, UInt32(sessionContext.count)) == 1,
                  SSL_CTX_set_max_early_data(context, UInt32(maximumEarlyData)) == 1,
                  SSL_CTX_set_recv_max_early_data(context, UInt32(maximumEarlyData)) == 1,
                  SSL_CTX_set_num_tickets(context, ticketsPerHandshake) == 1
            else { return false }
            SSL_CTX_set_timeout(context, ticketLifetime)
            SSL_CTX_sess_set_new_cb(context, tlsTicketIssued)
            SSL_CTX_sess_set_get_cb(context, tlsTicketOffered)
            SSL_CTX_set_client_hello_cb(context, tlsClientHello, nil)
            SSL_CTX_set_alpn_select_cb(context, tlsSelectProtocol, nil)
        }
        KeyLog.install(in: context)
        return true
    }
}

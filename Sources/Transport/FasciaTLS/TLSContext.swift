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

    /// - Parameter tickets: where a client keeps its session tickets; a server issues them without keeping any.
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
            _ = fascia_SSL_CTX_set_session_cache_mode(context, Int(SSL_SESS_CACHE_OFF))
            guard SSL_CTX_set_session_id_context(context, sessionContext, UInt32(sessionContext.count)) == 1,
                  SSL_CTX_set_session_ticket_cb(context, nil, tlsTicketOffered, nil) == 1
            else { return false }
            SSL_CTX_set_client_hello_cb(context, tlsClientHello, nil)
            SSL_CTX_set_alpn_select_cb(context, tlsSelectProtocol, nil)
        }
        KeyLog.install(in: context)
        return true
    }
}

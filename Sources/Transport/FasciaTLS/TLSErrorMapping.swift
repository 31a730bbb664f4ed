import COpenSSL

extension TLSError {
    /// OpenSSL reports a received alert as this number plus the alert's (RFC 8446, 6).
    private static let alertOffset = SSL_AD_REASON_OFFSET

    /// What OpenSSL's reason means for whoever reads the message.
    static func of(_ entry: OpenSSLErrorQueue.Entry?, sslError: Int32) -> TLSError {
        guard let entry else {
            return TLSError(.protocolViolation, .remote, "the peer broke the TLS protocol", cause: "SSL error \(sslError)")
        }
        if entry.reason > alertOffset, entry.reason <= alertOffset + 255 { return alert(entry.reason - alertOffset, entry.text) }
        switch entry.reason {
        case SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_WRONG_SSL_VERSION, SSL_R_VERSION_TOO_LOW:
            return TLSError(.versionUnsupported, .remote, "the peer speaks TLS 1.2 or older; TLS 1.3 is needed", cause: entry.text)
        case SSL_R_WRONG_VERSION_NUMBER, SSL_R_HTTP_REQUEST, SSL_R_HTTPS_PROXY_REQUEST:
            return TLSError(.notTLS, .remote, "the peer does not speak TLS; is this the right port?", cause: entry.text)
        case SSL_R_PEER_DID_NOT_RETURN_A_CERTIFICATE:
            return TLSError(.certificateMissing, .remote, "the peer sent no certificate (or none of the kind P-256)", cause: entry.text)
        case SSL_R_NO_APPLICATION_PROTOCOL:
            return TLSError(.applicationProtocol, .remote, "the peer speaks no protocol known here (ALPN)", cause: entry.text)
        default:
            return TLSError(.protocolViolation, .remote, "the peer broke the TLS protocol", cause: entry.text)
        }
    }

    private static func alert(_ number: Int32, _ text: String) -> TLSError {
        switch number {
        case SSL_AD_UNKNOWN_CA, SSL_AD_BAD_CERTIFICATE, SSL_AD_CERTIFICATE_REVOKED, SSL_AD_CERTIFICATE_UNKNOWN, SSL_AD_ACCESS_DENIED,
             SSL_AD_CERTIFICATE_REQUIRED, SSL_AD_UNSUPPORTED_CERTIFICATE:
            return TLSError(.refusedByPeer, .remote, "the peer does not accept this side's key (not paired there, or forgotten); pair again", cause: text)
        case SSL_AD_PROTOCOL_VERSION:
            return TLSError(.versionUnsupported, .remote, "the peer does not speak TLS 1.3", cause: text)
        case SSL_AD_NO_APPLICATION_PROTOCOL:
            return TLSError(.applicationProtocol, .remote, "the peer does not speak the protocol asked for (ALPN)", cause: text)
        default:
            return TLSError(.alert, .remote, "the peer ended TLS with the alert \(number)", cause: text)
        }
    }
}

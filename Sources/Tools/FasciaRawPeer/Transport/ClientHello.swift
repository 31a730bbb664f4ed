import COpenSSL
import FasciaProcesses
import Glibc

/// The first bytes of a TLS client.
package enum ClientHello {
    /// One TLS record with a ClientHello for `fascia/1`.
    package static func record() throws -> [UInt8] {
        guard let context = SSL_CTX_new(TLS_client_method()), let ssl = SSL_new(context), let incoming = BIO_new(BIO_s_mem()), let outgoing = BIO_new(BIO_s_mem()) else {
            throw ToolError("OpenSSL is out of memory")
        }
        defer {
            SSL_free(ssl)
            SSL_CTX_free(context)
        }
        SSL_set_bio(ssl, incoming, outgoing)
        let names = [UInt8(ALPN.link.utf8.count)] + Array(ALPN.link.utf8)
        SSL_set_alpn_protos(ssl, names, UInt32(names.count))
        SSL_set_connect_state(ssl)
        SSL_do_handshake(ssl)
        ERR_clear_error()
        var bytes = [UInt8](repeating: 0, count: BIO_ctrl_pending(outgoing))
        BIO_read(outgoing, &bytes, Int32(bytes.count))
        return bytes
    }
}

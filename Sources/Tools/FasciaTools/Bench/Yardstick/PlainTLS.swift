import COpenSSL
import FasciaProcesses
import FasciaTLS
import Foundation

/// The yardstick's TLS: OpenSSL on blocking sockets, TLS 1.3 only, mutual authentication with self-signed P-256 keys, a
/// full handshake each time. No more than a program needs that knows no better.
final class PlainTLS {
    enum Role { case client, server }

    private let context: OpaquePointer
    private let role: Role

    init(_ role: Role, pem: String) throws {
        guard let context = SSL_CTX_new(role == .client ? TLS_client_method() : TLS_server_method()) else { throw Self.failure("SSL_CTX_new") }
        self.context = context
        self.role = role
        _ = fascia_SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION)
        SSL_CTX_set_num_tickets(context, 0)
        guard SSL_CTX_use_PrivateKey_file(context, pem, SSL_FILETYPE_PEM) == 1, SSL_CTX_use_certificate_file(context, pem, SSL_FILETYPE_PEM) == 1 else {
            throw Self.failure("reading \(pem)")
        }
        // Any certificate will do here: what is measured is the handshake.
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT) { _, _ in 1 }
    }

    deinit { SSL_CTX_free(context) }

    /// Handshakes on a connected socket and hands over the connection.
    func handshake<Value>(_ descriptor: Int32, _ body: (OpaquePointer) throws -> Value) throws -> Value {
        guard let connection = SSL_new(context) else { throw Self.failure("SSL_new") }
        defer { SSL_free(connection) }
        ERR_clear_error()
        guard SSL_set_fd(connection, descriptor) == 1, (role == .client ? SSL_connect(connection) : SSL_accept(connection)) == 1 else {
            throw Self.failure("the handshake")
        }
        return try body(connection)
    }

    static func write(_ connection: OpaquePointer, _ bytes: [UInt8]) throws {
        guard SSL_write(connection, bytes, Int32(bytes.count)) == Int32(bytes.count) else { throw failure("writing") }
    }

    static func read(_ connection: OpaquePointer, count: Int) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let got = bytes.withUnsafeMutableBytes { SSL_read(connection, $0.baseAddress?.advanced(by: done), Int32(count - done)) }
            guard got > 0 else { throw failure("reading") }
            done += Int(got)
        }
        return bytes
    }

    private static func failure(_ what: String) -> ToolError {
        let code = ERR_get_error()
        return ToolError("yardstick: \(what) failed: \(ERR_reason_error_string(code).map { String(cString: $0) } ?? String(cString: strerror(errno)))")
    }
}

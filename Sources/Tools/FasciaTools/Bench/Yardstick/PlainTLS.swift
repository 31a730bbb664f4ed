import COpenSSL
import FasciaProcesses
import FasciaTLS
import Foundation

/// The yardstick's TLS: OpenSSL on blocking sockets, TLS 1.3 only, mutual authentication with self-signed P-256 keys. No
/// more than a program needs that knows no better.
final class PlainTLS {
    enum Role { case client, server }

    /// Largest request in early data, bytes.
    private static let maximumEarlyData: UInt32 = 16_384

    private let context: OpaquePointer
    private let role: Role
    private let mode: HandshakeMode
    /// Client: for the next connection.
    private var session: OpaquePointer?

    init(_ role: Role, mode: HandshakeMode, pem: String) throws {
        guard let context = SSL_CTX_new(role == .client ? TLS_client_method() : TLS_server_method()) else { throw Self.failure("SSL_CTX_new") }
        (self.context, self.role, self.mode) = (context, role, mode)
        _ = fascia_SSL_CTX_set_min_proto_version(context, TLS1_3_VERSION)
        SSL_CTX_set_num_tickets(context, mode == .full ? 0 : 1)
        if role == .server, mode != .full {
            SSL_CTX_set_session_id_context(context, "floor", 5)
            if mode == .earlyData { SSL_CTX_set_max_early_data(context, Self.maximumEarlyData) } // replay protection stays on: tickets are good once
        }
        guard SSL_CTX_use_PrivateKey_file(context, pem, SSL_FILETYPE_PEM) == 1, SSL_CTX_use_certificate_file(context, pem, SSL_FILETYPE_PEM) == 1 else {
            throw Self.failure("reading \(pem)")
        }
        // Any certificate will do here: what is measured is the handshake.
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT) { _, _ in 1 }
    }

    deinit {
        SSL_SESSION_free(session)
        SSL_CTX_free(context)
    }

    /// Client: handshake, request, answer of 8 bytes.
    /// - Returns: the answer, and what kind of handshake it was.
    func request(_ bytes: [UInt8], on descriptor: Int32) throws -> (answer: UInt64, mode: HandshakeMode) {
        try connection(on: descriptor) { connection in
            var isSent = false
            if let session {
                SSL_set_session(connection, session)
                if mode == .earlyData, SSL_SESSION_get_max_early_data(session) > 0 {
                    var written = 0
                    guard SSL_write_early_data(connection, bytes, bytes.count, &written) == 1, written == bytes.count else { throw Self.failure("early data") }
                    isSent = true
                }
            }
            guard SSL_connect(connection) == 1 else { throw Self.failure("the handshake") }
            let isAccepted = isSent && SSL_get_early_data_status(connection) == SSL_EARLY_DATA_ACCEPTED
            if !isAccepted { try Self.write(connection, bytes) }
            let answer = try Self.read(connection, count: 8).reduce(0) { $0 << 8 | UInt64($1) }
            let kind: HandshakeMode = isAccepted ? .earlyData : SSL_session_reused(connection) == 1 ? .ticket : .full
            if mode != .full {
                SSL_SESSION_free(session)
                session = SSL_get1_session(connection) // with the ticket that came before the answer
            }
            SSL_shutdown(connection) // else OpenSSL holds the session to be spoilt
            return (answer, kind)
        }
    }

    /// Server: handshake, a request of `count` bytes, answered by `answer`, which is asked when it is complete.
    func serve(_ count: Int, on descriptor: Int32, answer: () -> UInt64) throws {
        try connection(on: descriptor) { connection in
            var got = 0, time: UInt64?
            if mode == .earlyData {
                var buffer = [UInt8](repeating: 0, count: Int(Self.maximumEarlyData))
                reading: while true {
                    var length = 0
                    switch SSL_read_early_data(connection, &buffer, buffer.count, &length) {
                    case SSL_READ_EARLY_DATA_SUCCESS:
                        got += length
                        if got == count { time = answer() }
                    case SSL_READ_EARLY_DATA_FINISH: break reading
                    default: throw Self.failure("early data")
                    }
                }
            }
            guard SSL_accept(connection) == 1 else { throw Self.failure("the handshake") }
            if got < count { _ = try Self.read(connection, count: count - got) }
            let stamp = time ?? answer()
            try Self.write(connection, (0..<8).map { UInt8(truncatingIfNeeded: stamp >> (56 - 8 * UInt64($0))) })
            _ = SSL_shutdown(connection)
        }
    }

    private func connection<Value>(on descriptor: Int32, _ body: (OpaquePointer) throws -> Value) throws -> Value {
        guard let connection = SSL_new(context) else { throw Self.failure("SSL_new") }
        defer { SSL_free(connection) }
        ERR_clear_error()
        guard SSL_set_fd(connection, descriptor) == 1 else { throw Self.failure("SSL_set_fd") }
        return try body(connection)
    }

    private static func write(_ connection: OpaquePointer, _ bytes: [UInt8]) throws {
        guard SSL_write(connection, bytes, Int32(bytes.count)) == Int32(bytes.count) else { throw failure("writing") }
    }

    private static func read(_ connection: OpaquePointer, count: Int) throws -> [UInt8] {
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

import COpenSSL
import Glibc

/// Appends the secrets of each connection to the file named by `SSLKEYLOGFILE`, in the form Wireshark reads
/// (RFC 9850). Meant for looking at one's own traffic: whoever has the file can read the recorded connections.
enum KeyLog {
    static let environmentVariable = "SSLKEYLOGFILE"

    /// Installs the log when the environment asks for it.
    static func install(in context: OpaquePointer) {
        guard let path = getenv(environmentVariable), path.pointee != 0 else { return }
        SSL_CTX_set_keylog_callback(context, keyLogLine)
    }
}

private func keyLogLine(_: OpaquePointer?, _ line: UnsafePointer<CChar>?) {
    guard let line, let path = getenv(KeyLog.environmentVariable) else { return }
    let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let bytes = Array(String(cString: line).utf8) + [UInt8(ascii: "\n")]
    _ = write(descriptor, bytes, bytes.count)
}

import COpenSSL

/// OpenSSL's error queue of this thread.
enum OpenSSLErrorQueue {
    /// The oldest entry is the cause; what follows are its consequences.
    struct Entry {
        let library: Int32
        let reason: Int32
        let text: String
    }

    /// Takes the oldest entry and empties the queue.
    static func take() -> Entry? {
        let code = ERR_get_error()
        guard code != 0 else { return nil }
        ERR_clear_error()
        let text = ERR_reason_error_string(code).map { String(cString: $0) } ?? "error \(code)"
        return Entry(library: fascia_ERR_GET_LIB(code), reason: fascia_ERR_GET_REASON(code), text: text)
    }

    static func failure(_ what: String) -> TLSError {
        TLSError(.libraryFailed, .library, "\(what) failed", cause: take()?.text ?? "")
    }
}

import COpenSSL

/// OpenSSL as a whole.
public enum OpenSSLLibrary {
    /// To be called before anything else of it: at `exit` it shall not free what the threads of connections still use.
    public static func prepare() { OPENSSL_init_ssl(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) }
}

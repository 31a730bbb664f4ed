import COpenSSL

/// The key pair and self-signed certificate of one endpoint (P-256). Peers pin the hash of its public key; names and
/// dates in the certificate mean nothing to them.
///
/// Sendable: both OpenSSL objects are only read after `init`, and their reference counts are atomic.
public final class Identity: @unchecked Sendable {
    let privateKey: OpaquePointer
    let certificate: OpaquePointer
    public let fingerprint: Fingerprint

    /// Takes over both references.
    private init(privateKey: OpaquePointer, certificate: OpaquePointer) throws(TLSError) {
        self.privateKey = privateKey
        self.certificate = certificate
        guard let fingerprint = Fingerprint(certificate: certificate) else {
            EVP_PKEY_free(privateKey)
            X509_free(certificate)
            throw OpenSSLErrorQueue.failure("Hashing the public key")
        }
        self.fingerprint = fingerprint
    }

    deinit {
        EVP_PKEY_free(privateKey)
        X509_free(certificate)
    }

    /// A new key with its certificate.
    /// - Throws: `libraryFailed` when OpenSSL has no random numbers or memory.
    public static func generate() throws(TLSError) -> Identity {
        ERR_clear_error()
        guard let key = fascia_p256_generate() else { throw OpenSSLErrorQueue.failure("Making a P-256 key") }
        guard let certificate = selfSigned(key) else {
            EVP_PKEY_free(key)
            throw OpenSSLErrorQueue.failure("Signing the certificate")
        }
        return try Identity(privateKey: key, certificate: certificate)
    }

    /// Reads what ``pem()`` wrote: the private key and the certificate, in any order.
    /// - Throws: `identityUnusable` when one of them is missing, damaged, of another kind or they do not belong together.
    public convenience init(pem: [UInt8]) throws(TLSError) {
        ERR_clear_error()
        guard let key = Self.read(pem, { PEM_read_bio_PrivateKey($0, nil, noPassword, nil) }) else {
            throw TLSError(.identityUnusable, .local, "no private key can be read", cause: OpenSSLErrorQueue.take()?.text ?? "")
        }
        guard let certificate = Self.read(pem, { PEM_read_bio_X509($0, nil, noPassword, nil) }) else {
            EVP_PKEY_free(key)
            throw TLSError(.identityUnusable, .local, "no certificate can be read", cause: OpenSSLErrorQueue.take()?.text ?? "")
        }
        guard EVP_PKEY_get_base_id(key) == EVP_PKEY_EC, EVP_PKEY_get_bits(key) == 256, X509_check_private_key(certificate, key) == 1 else {
            EVP_PKEY_free(key)
            X509_free(certificate)
            ERR_clear_error()
            throw TLSError(.identityUnusable, .local, "private key and certificate do not belong together or are not P-256")
        }
        try self.init(privateKey: key, certificate: certificate)
    }

    /// Private key (PKCS #8) and certificate, PEM. Keep it readable by its owner only.
    public func pem() throws(TLSError) -> [UInt8] {
        ERR_clear_error()
        guard let bio = BIO_new(BIO_s_mem()) else { throw OpenSSLErrorQueue.failure("Writing the identity") }
        defer { BIO_free(bio) }
        guard PEM_write_bio_PrivateKey(bio, privateKey, nil, nil, 0, nil, nil) == 1, PEM_write_bio_X509(bio, certificate) == 1 else {
            throw OpenSSLErrorQueue.failure("Writing the identity")
        }
        var bytes = [UInt8](repeating: 0, count: BIO_ctrl_pending(bio))
        let length = Int32(bytes.count)
        guard BIO_read(bio, &bytes, length) == length else { throw OpenSSLErrorQueue.failure("Writing the identity") }
        return bytes
    }

    private static func read(_ pem: [UInt8], _ body: (OpaquePointer) -> OpaquePointer?) -> OpaquePointer? {
        pem.withUnsafeBytes { bytes in
            guard let count = Int32(exactly: bytes.count), let bio = BIO_new_mem_buf(bytes.baseAddress, count) else { return nil }
            defer { BIO_free(bio) }
            return body(bio)
        }
    }

    /// X.509 v3, serial number random, never expires (RFC 5280, 4.1.2.5): a car's clock may be wrong.
    private static func selfSigned(_ key: OpaquePointer) -> OpaquePointer? {
        guard let certificate = X509_new() else { return nil }
        var serial = [UInt8](repeating: 0, count: 16)
        guard RAND_bytes(&serial, 16) == 1, let number = BN_bin2bn(serial, 16, nil) else { X509_free(certificate); return nil }
        defer { BN_free(number) }
        let name = X509_get_subject_name(certificate)
        guard BN_clear_bit(number, 127) == 1, BN_set_bit(number, 126) == 1,
              BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate)) != nil,
              X509_set_version(certificate, 2) == 1,
              ASN1_TIME_set_string_X509(X509_getm_notBefore(certificate), "20000101000000Z") == 1,
              ASN1_TIME_set_string_X509(X509_getm_notAfter(certificate), "99991231235959Z") == 1,
              X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, "Fascia", -1, -1, 0) == 1,
              X509_set_issuer_name(certificate, name) == 1,
              X509_set_pubkey(certificate, key) == 1,
              X509_sign(certificate, key, EVP_sha256()) > 0
        else { X509_free(certificate); return nil }
        return certificate
    }
}

/// An encrypted key must not make OpenSSL ask on the terminal.
private func noPassword(_: UnsafeMutablePointer<CChar>?, _: Int32, _: Int32, _: UnsafeMutableRawPointer?) -> Int32 { 0 }

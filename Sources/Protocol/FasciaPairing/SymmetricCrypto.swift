import COpenSSL

/// Hashing and key derivation, on OpenSSL.
enum SymmetricCrypto {
    static func sha256(_ bytes: [UInt8]) throws(P256.Failed) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        guard SHA256(bytes, bytes.count, &digest) != nil else { throw P256.Failed() }
        return digest
    }

    /// HMAC-SHA-256, 32 bytes.
    static func hmac(key: [UInt8], _ bytes: [UInt8]) throws(P256.Failed) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: 32)
        var length: UInt32 = 0
        guard HMAC(EVP_sha256(), key, Int32(key.count), bytes, bytes.count, &code, &length) != nil, length == 32 else { throw P256.Failed() }
        return code
    }

    /// HKDF-SHA-256 (RFC 5869) without a salt.
    static func hkdf(key: [UInt8], info: [UInt8], length: Int) throws(P256.Failed) -> [UInt8] {
        ERR_clear_error()
        guard let context = EVP_PKEY_CTX_new_id(EVP_PKEY_HKDF, nil) else { throw P256.Failed() }
        defer { EVP_PKEY_CTX_free(context) }
        var result = [UInt8](repeating: 0, count: length)
        var count = length
        guard EVP_PKEY_derive_init(context) == 1, EVP_PKEY_CTX_set_hkdf_md(context, EVP_sha256()) == 1,
              EVP_PKEY_CTX_set1_hkdf_key(context, key, Int32(key.count)) == 1,
              EVP_PKEY_CTX_add1_hkdf_info(context, info, Int32(info.count)) == 1,
              EVP_PKEY_derive(context, &result, &count) == 1, count == length
        else { throw P256.Failed() }
        return result
    }

    /// Takes the same time wherever the two differ.
    static func equal(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one.count == other.count && CRYPTO_memcmp(one, other, one.count) == 0
    }
}

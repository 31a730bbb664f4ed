import COpenSSL
import FasciaProcesses

/// A certificate for the same key that has expired, has another name, and is marked as one of an authority.
package enum OddCertificate {
    package static func expired(of pem: [UInt8]) throws -> [UInt8] {
        guard let bio = BIO_new_mem_buf(pem, Int32(pem.count)) else { throw ToolError("out of memory") }
        defer { BIO_free(bio) }
        guard let key = PEM_read_bio_PrivateKey(bio, nil, nil, nil), let certificate = X509_new() else { throw ToolError("the key cannot be read") }
        defer { EVP_PKEY_free(key); X509_free(certificate) }
        let name = X509_get_subject_name(certificate)
        guard X509_set_version(certificate, 2) == 1, ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1) == 1,
              ASN1_TIME_set_string_X509(X509_getm_notBefore(certificate), "19990101000000Z") == 1,
              ASN1_TIME_set_string_X509(X509_getm_notAfter(certificate), "19990102000000Z") == 1,
              X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, "somebody.else.example", -1, -1, 0) == 1,
              X509_set_issuer_name(certificate, name) == 1, X509_set_pubkey(certificate, key) == 1, addExtension(certificate),
              X509_sign(certificate, key, EVP_sha256()) > 0, let out = BIO_new(BIO_s_mem())
        else { throw ToolError("the certificate cannot be made") }
        defer { BIO_free(out) }
        PEM_write_bio_PrivateKey(out, key, nil, nil, 0, nil, nil)
        PEM_write_bio_X509(out, certificate)
        var bytes = [UInt8](repeating: 0, count: BIO_ctrl_pending(out))
        BIO_read(out, &bytes, Int32(bytes.count))
        return bytes
    }

    private static func addExtension(_ certificate: OpaquePointer) -> Bool {
        guard let constraints = X509V3_EXT_conf_nid(nil, nil, NID_basic_constraints, "critical,CA:TRUE") else { return false }
        defer { X509_EXTENSION_free(constraints) }
        return X509_add_ext(certificate, constraints, -1) == 1
    }
}

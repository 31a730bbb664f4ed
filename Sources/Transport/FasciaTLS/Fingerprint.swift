import COpenSSL

/// The pin of a peer: SHA-256 of the DER SubjectPublicKeyInfo of its certificate (32 bytes).
public struct Fingerprint: Hashable, Sendable, CustomStringConvertible {
    /// Of SHA-256.
    public static let byteCount = 32
    public let bytes: [UInt8]

    /// `nil` unless exactly 32 bytes are given.
    public init?(bytes: some Sequence<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    /// `nil` unless `hex` is 64 hexadecimal digits; letter case does not matter.
    public init?(hex: String) {
        let digits = Array(hex.utf8)
        guard digits.count == 2 * Self.byteCount else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.byteCount)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = hexValue(digits[index]), let low = hexValue(digits[index + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        self.bytes = bytes
    }

    /// 64 lower-case hexadecimal digits.
    public var hex: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// First 16 hexadecimal digits: enough to recognise a peer in a log, and the `id` of the discovery record.
    public var short: String { String(hex.prefix(16)) }

    public var description: String { hex }

    /// Of an X.509 certificate that OpenSSL holds; `nil` only when memory runs out.
    init?(certificate: OpaquePointer) {
        var der: UnsafeMutablePointer<UInt8>?
        let length = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &der)
        guard length > 0, let der else { return nil }
        defer { CRYPTO_free(der, #file, #line) }
        var digest = [UInt8](repeating: 0, count: Self.byteCount)
        guard SHA256(der, Int(length), &digest) != nil else { return nil }
        bytes = digest
    }
}

private func hexValue(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
}

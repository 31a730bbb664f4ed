import COpenSSL

/// SPAKE2 with P-256, SHA-256, HKDF and HMAC (RFC 9382). Both ends know the small number w; each sends one point and
/// one confirmation. Who listens or lies learns at most whether one guess of w was right.
///
///     A                                     B
///     pA = x*G + w*M   ---- pA ---->        pB = y*G + w*N
///                      <--- pB -----
///     K = x*(pB - w*N)                      K = y*(pA - w*M)
///     TT = A, B, pA, pB, K, w               (each after its length, RFC 9382, 3.3)
///     Ke || Ka = SHA-256(TT), KcA || KcB = HKDF(Ka, "ConfirmationKeys" || AAD)
///     cA = HMAC(KcA, TT) ---- cA --->       <---- cB = HMAC(KcB, TT)
struct SPAKE2 {
    enum Role { case a, b }

    /// RFC 9382, 6: points nobody knows the discrete logarithm of.
    static let m = "02886e2f97ace46e55ba9dd7242579f2993b64e16ef3dcab95afd497333d8fa12f"
    static let n = "03d8bbd6c639c62937b04d997f38c3770719c629d7014d49a24b4f98baa1292b49"

    let role: Role
    /// The own share, 65 bytes.
    let share: [UInt8]
    private let w: P256.Scalar
    private let secret: P256.Scalar

    /// - Parameter secret: x or y; random unless a test vector gives it.
    init(_ role: Role, w: P256.Scalar, secret: P256.Scalar? = nil) throws(P256.Failed) {
        let secret = if let secret { secret } else { try P256.Scalar() }
        self.role = role
        self.w = w
        self.secret = secret
        share = try P256.Point.generator(times: secret).plus(try Self.blind(role).times(w)).bytes()
    }

    /// What both ends know in the end.
    struct Outcome {
        let sharedPoint: [UInt8]
        let ke: [UInt8]
        let ka: [UInt8]
        let confirmationKeyA: [UInt8]
        let confirmationKeyB: [UInt8]
        let confirmationA: [UInt8]
        let confirmationB: [UInt8]
    }

    /// - Parameters:
    ///   - peerShare: 65 bytes; what is no point of the curve, or leads to the identity, throws.
    ///   - aad: bound into the confirmations.
    func finish(peerShare: [UInt8], identityA: [UInt8], identityB: [UInt8], aad: [UInt8]) throws(P256.Failed) -> Outcome {
        guard let peer = Self.point(peerShare) else { throw P256.Failed() }
        let shared = try peer.minus(try Self.blind(role == .a ? .b : .a).times(w)).times(secret).bytes()
        let (shareA, shareB) = role == .a ? (share, peerShare) : (peerShare, share)
        var transcript: [UInt8] = []
        for part in [identityA, identityB, shareA, shareB, shared, try w.bytes()] {
            withUnsafeBytes(of: UInt64(part.count).littleEndian) { transcript.append(contentsOf: $0) }
            transcript.append(contentsOf: part)
        }
        defer { wipe(&transcript) }
        let hash = try SymmetricCrypto.sha256(transcript)
        let ka = Array(hash[16...])
        let keys = try SymmetricCrypto.hkdf(key: ka, info: Array("ConfirmationKeys".utf8) + aad, length: 32)
        let (keyA, keyB) = (Array(keys[..<16]), Array(keys[16...]))
        return Outcome(
            sharedPoint: shared, ke: Array(hash[..<16]), ka: ka, confirmationKeyA: keyA, confirmationKeyB: keyB,
            confirmationA: try SymmetricCrypto.hmac(key: keyA, transcript), confirmationB: try SymmetricCrypto.hmac(key: keyB, transcript))
    }

    /// A share as it comes from the peer: uncompressed, on the curve, not the identity.
    static func point(_ share: [UInt8]) -> P256.Point? {
        guard share.count == P256.pointSize, share[0] == 4 else { return nil }
        return P256.Point(encoded: share)
    }

    private static func blind(_ role: Role) throws(P256.Failed) -> P256.Point {
        let hex = Array((role == .a ? m : n).utf8)
        let bytes = stride(from: 0, to: hex.count, by: 2).compactMap { UInt8(String(decoding: hex[$0...($0 + 1)], as: UTF8.self), radix: 16) }
        guard let point = P256.Point(encoded: bytes) else { throw P256.Failed() }
        return point
    }
}

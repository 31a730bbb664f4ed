import COpenSSL

/// The group of NIST P-256 (prime order, cofactor 1), on OpenSSL's arithmetic.
enum P256 {
    /// Bytes of a scalar and of a coordinate.
    static let scalarSize = 32
    /// Bytes of an uncompressed point: 0x04, x, y (SEC 1, 2.3.3).
    static let pointSize = 65

    struct Failed: Error {} // OpenSSL has no memory, or a result is the identity

    private struct Group: @unchecked Sendable { let pointer: OpaquePointer } // never changed after it was made

    private static let shared: Group? = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1).map(Group.init)

    static func group() throws(Failed) -> OpaquePointer {
        guard let shared else { throw Failed() }
        return shared.pointer
    }

    /// A number modulo the group's order; wiped when it goes away.
    final class Scalar {
        let number: OpaquePointer

        /// Big-endian `bytes` of any length, reduced modulo the order.
        init(reducing bytes: [UInt8]) throws(Failed) {
            let group = try group()
            guard let wide = BN_bin2bn(bytes, Int32(bytes.count), nil) else { throw Failed() }
            defer { BN_clear_free(wide) }
            guard let number = BN_secure_new(), let scratch = BN_CTX_secure_new() else { throw Failed() }
            defer { BN_CTX_free(scratch) }
            self.number = number
            BN_set_flags(wide, BN_FLG_CONSTTIME)
            BN_set_flags(number, BN_FLG_CONSTTIME)
            guard BN_nnmod(number, wide, EC_GROUP_get0_order(group), scratch) == 1, BN_is_zero(number) == 0 else { throw Failed() }
        }

        /// Uniform in 1 … order - 1: 24 bytes more than the order has make the bias of the reduction negligible.
        convenience init() throws(Failed) {
            var bytes = [UInt8](repeating: 0, count: P256.scalarSize + 24)
            guard RAND_priv_bytes(&bytes, Int32(bytes.count)) == 1 else { throw Failed() }
            defer { wipe(&bytes) }
            try self.init(reducing: bytes)
        }

        deinit { BN_clear_free(number) }

        /// 32 bytes, big-endian.
        func bytes() throws(Failed) -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: P256.scalarSize)
            guard BN_bn2binpad(number, &bytes, Int32(bytes.count)) == Int32(bytes.count) else { throw Failed() }
            return bytes
        }
    }

    /// A point on the curve, never the identity.
    final class Point {
        let pointer: OpaquePointer

        /// `nil` when `bytes` is not the uncompressed (or, for constants, compressed) form of a point on the curve.
        init?(encoded bytes: [UInt8]) {
            guard let group = try? group(), let point = EC_POINT_new(group) else { return nil }
            ERR_clear_error()
            guard bytes.count > 1, EC_POINT_oct2point(group, point, bytes, bytes.count, nil) == 1,
                  EC_POINT_is_at_infinity(group, point) == 0, EC_POINT_is_on_curve(group, point, nil) == 1
            else { ERR_clear_error(); EC_POINT_free(point); return nil }
            pointer = point
        }

        private init(_ operation: (OpaquePointer, OpaquePointer, OpaquePointer) -> Int32) throws(Failed) {
            let group = try group()
            guard let point = EC_POINT_new(group) else { throw Failed() }
            pointer = point
            guard let scratch = BN_CTX_secure_new() else { throw Failed() }
            defer { BN_CTX_free(scratch) }
            guard operation(group, point, scratch) == 1, EC_POINT_is_at_infinity(group, point) == 0 else { throw Failed() }
        }

        deinit { EC_POINT_clear_free(pointer) }

        /// `scalar` times the generator.
        static func generator(times scalar: Scalar) throws(Failed) -> Point {
            try Point { group, result, scratch in EC_POINT_mul(group, result, scalar.number, nil, nil, scratch) }
        }

        func times(_ scalar: Scalar) throws(Failed) -> Point {
            try Point { group, result, scratch in EC_POINT_mul(group, result, nil, self.pointer, scalar.number, scratch) }
        }

        func plus(_ other: Point) throws(Failed) -> Point {
            try Point { group, result, scratch in EC_POINT_add(group, result, self.pointer, other.pointer, scratch) }
        }

        func minus(_ other: Point) throws(Failed) -> Point {
            try Point { group, result, scratch in
                guard EC_POINT_copy(result, other.pointer) == 1, EC_POINT_invert(group, result, scratch) == 1 else { return 0 }
                return EC_POINT_add(group, result, self.pointer, result, scratch)
            }
        }

        /// 65 bytes, uncompressed.
        func bytes() throws(Failed) -> [UInt8] {
            let group = try group()
            var bytes = [UInt8](repeating: 0, count: P256.pointSize)
            guard EC_POINT_point2oct(group, pointer, POINT_CONVERSION_UNCOMPRESSED, &bytes, bytes.count, nil) == bytes.count else { throw Failed() }
            return bytes
        }
    }
}

/// Overwrites a secret; the compiler cannot leave it out.
func wipe(_ bytes: inout [UInt8]) { bytes.withUnsafeMutableBytes { OPENSSL_cleanse($0.baseAddress, $0.count) } }

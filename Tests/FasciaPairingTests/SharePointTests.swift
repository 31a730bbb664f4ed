import Testing

@testable import FasciaPairing

/// What a hostile peer may send as its share.
struct SharePointTests {
    let good = SPAKE2VectorTests.vectors[0]

    @Test func pointsOffTheCurveAreRefused() {
        var share = bytes(good.shareA)
        share[64] ^= 1
        #expect(SPAKE2.point(share) == nil)
    }

    @Test func coordinatesBeyondTheFieldAreRefused() {
        #expect(SPAKE2.point([4] + [UInt8](repeating: 0xFF, count: 64)) == nil)
    }

    @Test func identityIsRefused() {
        #expect(SPAKE2.point([0]) == nil)
        #expect(SPAKE2.point([UInt8](repeating: 0, count: 65)) == nil)
        #expect(SPAKE2.point([4] + [UInt8](repeating: 0, count: 64)) == nil)
    }

    @Test func otherEncodingsAndLengthsAreRefused() {
        let share = bytes(good.shareA)
        #expect(SPAKE2.point([2] + share[1...32]) == nil) // compressed
        #expect(SPAKE2.point([6] + share[1...]) == nil) // hybrid
        #expect(SPAKE2.point(Array(share.dropLast())) == nil)
        #expect(SPAKE2.point(share + [0]) == nil)
        #expect(SPAKE2.point([]) == nil)
    }

    /// pB = w*N makes K the identity: the attacker would know it.
    @Test func shareLeadingToTheIdentityIsRefused() throws {
        let w = try P256.Scalar(reducing: bytes(good.w))
        let a = try SPAKE2(.a, w: w)
        let n = try #require(P256.Point(encoded: bytes(SPAKE2.n)))
        let evil = try n.times(w).bytes()
        #expect(throws: P256.Failed.self) { try a.finish(peerShare: evil, identityA: [], identityB: [], aad: []) }
    }

    @Test func scalarsAreReducedAndNeverZero() throws {
        let order = bytes("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551")
        #expect(throws: P256.Failed.self) { try P256.Scalar(reducing: order) }
        var next = order
        next[31] += 2
        #expect(try P256.Scalar(reducing: next).bytes() == [UInt8](repeating: 0, count: 31) + [2])
        #expect(try P256.Scalar(reducing: [0, 0, 7]).bytes().last == 7)
    }
}

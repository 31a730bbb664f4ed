import Testing

@testable import FasciaTLS

struct IdentityTests {
    @Test func pemRoundTripKeepsTheKey() throws {
        let identity = try Identity.generate()
        let again = try Identity(pem: identity.pem())
        #expect(again.fingerprint == identity.fingerprint)
        #expect(try Identity.generate().fingerprint != identity.fingerprint)
    }

    @Test func damagedOrForeignFilesAreRefused() throws {
        let (one, other) = (try Identity.generate().pem(), try Identity.generate().pem())
        let certificate = Array("-----BEGIN CERTIFICATE".utf8)
        let split = { (pem: [UInt8]) in pem.indices.first { pem[$0...].starts(with: certificate) } ?? 0 }
        for pem in [[], Array("nonsense".utf8), Array(one.prefix(100)), Array(one[..<split(one)]), Array(one[split(one)...]),
                    Array(one[..<split(one)]) + Array(other[split(other)...])] {
            #expect { try Identity(pem: pem) } throws: { ($0 as? TLSError)?.code == .identityUnusable }
        }
    }

    @Test func fingerprintsReadTheirOwnHex() throws {
        let fingerprint = try Identity.generate().fingerprint
        #expect(Fingerprint(hex: fingerprint.hex) == fingerprint)
        #expect(Fingerprint(hex: fingerprint.hex.uppercased()) == fingerprint)
        #expect(Fingerprint(hex: String(fingerprint.hex.dropLast())) == nil)
        #expect(Fingerprint(hex: String(repeating: "g", count: 64)) == nil)
        #expect(Fingerprint(bytes: [1, 2, 3]) == nil)
        #expect(fingerprint.short == String(fingerprint.hex.prefix(16)))
    }
}

import Testing

@testable import FasciaPairing

struct PairingCodeTests {
    @Test(arguments: ["123456", "123 456", "123-456", " 1 2 3 4 5 6\n"])
    func spacesAndHyphensDoNotMatter(_ text: String) { #expect(PairingCode(text)?.digits == "123456") }

    @Test(arguments: ["", "12345", "1234567", "12345a", "١٢٣٤٥٦", "-12345", "12345\u{301}6"])
    func whatIsNotSixDigitsIsNoCode(_ text: String) { #expect(PairingCode(text) == nil) }

    @Test func randomCodesAreCodes() {
        let codes = (0..<200).map { _ in PairingCode.random() }
        #expect(codes.allSatisfy { PairingCode($0.digits) == $0 })
        #expect(Set(codes).count > 190)
    }

    @Test func descriptionIsGrouped() { #expect(PairingCode("004711")?.description == "004 711") }

    /// Computed with Python: hashlib.scrypt(b"123456", salt=bytes(range(16)), n=2**14, r=8, p=1, dklen=40), modulo the order.
    @Test func stretchingIsScryptModuloTheOrder() throws {
        let code = try #require(PairingCode("123456"))
        let w = try code.scalar(salt: Array(0..<16))
        #expect(try w.bytes() == bytes("1cf0b9d2f43370834c751881fbbf4f7555abe0d47b6375574f2c0680e6988fb6"))
    }
}

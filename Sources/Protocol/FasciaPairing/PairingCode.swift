import COpenSSL

/// The six digits the head unit shows and the phone's user types.
public struct PairingCode: Sendable, Hashable, CustomStringConvertible {
    public static let digitCount = 6

    /// Random bytes the phone adds (spec 9.3, P-6).
    static let saltSize = 16

    // scrypt (spec 4.5, P-3; RFC 7914), since RFC 9382, 3.2 asks for a slow function: 16 MiB and some 40 ms for each guess. 40 bytes = 64 bits more than
    // the group's order, so that w is as good as uniform.
    static let scryptN: UInt64 = 1 << 14
    static let scryptR: UInt64 = 8
    static let scryptP: UInt64 = 1
    static let scryptOutput = 40

    /// ASCII digits.
    public let digits: String
    /// scrypt's N; less only where a fuzzer would otherwise do nothing else.
    package var cost = Self.scryptN

    /// `nil` unless `text` has exactly six ASCII digits; spaces and hyphens between them do not matter.
    public init?(_ text: String) {
        let digits = text.filter { !$0.isWhitespace && $0 != "-" }
        guard digits.utf8.count == Self.digitCount, digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else { return nil }
        self.digits = digits
    }

    /// A random code, each of the million equally likely.
    public static func random() -> PairingCode {
        let number = Int.random(in: 0..<1_000_000) // SystemRandomNumberGenerator is cryptographically secure
        let text = String(number)
        return PairingCode(digits: String(repeating: "0", count: digitCount - text.count) + text)
    }

    private init(digits: String) { self.digits = digits }

    /// For people: two groups of three.
    public var description: String { "\(digits.prefix(3)) \(digits.suffix(3))" }

    /// SPAKE2's w = scrypt(digits, salt) modulo the order. Takes some 40 ms.
    func scalar(salt: [UInt8]) throws(P256.Failed) -> P256.Scalar {
        var output = [UInt8](repeating: 0, count: Self.scryptOutput)
        defer { wipe(&output) }
        ERR_clear_error()
        guard EVP_PBE_scrypt(digits, digits.utf8.count, salt, salt.count, cost, Self.scryptR, Self.scryptP, 64 << 20, &output, output.count) == 1
        else { throw P256.Failed() }
        return try P256.Scalar(reducing: output)
    }
}

/// Why a pairing failed. New codes may be added: compare with the static ones.
public struct PairingError: Error, Sendable, Equatable, CustomStringConvertible {
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String
        init(_ name: String) { description = name }

        /// The two ends used different codes, or somebody stands between them.
        public static let wrongCode = Code("wrong-code")
        /// Too many wrong codes; see the error's text for when to try again.
        public static let locked = Code("locked")
        /// A message that has no place at this point.
        public static let unexpectedMessage = Code("unexpected-message")
        /// A message whose fields break the rules: sizes, a share that is no point of the curve.
        public static let malformed = Code("malformed")
        /// OpenSSL could not do what must always be possible.
        public static let libraryFailed = Code("openssl")
    }

    /// Whose act led to the error.
    public enum Initiator: Sendable, Equatable { case user, remote, library }

    public let code: Code
    public let initiator: Initiator
    public let description: String

    public init(_ code: Code, _ initiator: Initiator, _ description: String) {
        self.code = code
        self.initiator = initiator
        self.description = description
    }
}

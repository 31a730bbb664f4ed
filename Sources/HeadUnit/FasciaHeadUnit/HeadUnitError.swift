/// Why the head unit cannot start or go on. `description` names the cause and says what to do.
public struct HeadUnitError: Error, Sendable, Equatable, CustomStringConvertible {
    public struct Code: Hashable, Sendable {
        private let name: String
        private init(_ name: String) { self.name = name }

        public static let profile = Code("profile")
        public static let script = Code("script")
        public static let listen = Code("listen")
        public static let pairingCode = Code("pairing-code")
        public static let display = Code("display")
        public static let name = Code("name")
    }

    public let code: Code
    public let description: String
    public init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}

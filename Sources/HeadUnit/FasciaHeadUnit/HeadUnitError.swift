/// Why the head unit cannot start or go on. `description` names the cause and says what to do.
public struct HeadUnitError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What could not be had; open to additions.
    public struct Code: Hashable, Sendable {
        private let name: String
        private init(_ name: String) { self.name = name }

        /// No such screen profile, or its file is wrong.
        public static let profile = Code("profile")
        /// The script file cannot be read.
        public static let script = Code("script")
        /// The address is none, or cannot be listened on.
        public static let listen = Code("listen")
        /// Not six digits.
        public static let pairingCode = Code("pairing-code")
        /// No window can be opened.
        public static let display = Code("display")
        /// The car's name is empty, too long, or has control characters.
        public static let name = Code("name")
        /// Sound cannot come out or go in where it was asked to.
        public static let sound = Code("sound")
    }

    public let code: Code
    public let description: String
    public init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}

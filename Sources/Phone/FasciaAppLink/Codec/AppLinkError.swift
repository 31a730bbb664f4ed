/// Why an App Link ended badly. `code` is stable, `detail` is for people.
public struct AppLinkError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What went wrong, open to additions.
    public struct Code: Sendable, Hashable {
        public let name: String
        /// The bytes break the framing rules.
        public static let framing = Code(name: "framing")
        /// A message is longer than its direction allows.
        public static let messageTooLarge = Code(name: "message-too-large")
        /// A message body is not the Protocol Buffers message its type names.
        public static let malformedMessage = Code(name: "malformed-message")
        /// The stream ended inside a message.
        public static let truncated = Code(name: "truncated")
        /// The operating system refused a read or a write.
        public static let system = Code(name: "system")
        /// The other end does not read what is sent to it.
        public static let peerNotReading = Code(name: "peer-not-reading")
    }

    public let code: Code
    public let detail: String

    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    public var description: String { "\(code.name): \(detail)" }
}

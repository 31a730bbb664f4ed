/// Why bytes are no datagram of this protocol (spec/appsound.md 5). `code` is stable, `detail` is for people.
public struct SoundDatagramError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong, open to additions.
    public struct Code: Sendable, Hashable {
        public let name: String
        /// No kind byte.
        public static let empty = Code(name: "empty")
        /// Longer than ``SoundLimits/datagram``, or more sound than ``SoundLimits/packet``.
        public static let tooLarge = Code(name: "too-large")
        /// A packet without a whole header or without sound.
        public static let shortPacket = Code(name: "short-packet")
        /// A body that is not the Protocol Buffers message its kind names.
        public static let malformed = Code(name: "malformed")
    }

    public let code: Code
    public let detail: String

    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    public var description: String { "\(code.name): \(detail)" }
}

import Glibc

/// What is wrong with the state directory or a file in it. `description` names the path and says what to do.
public struct StateError: Error, Sendable, Equatable, CustomStringConvertible {
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let description: String
        init(_ name: String) { description = name }

        /// The directory cannot be made or is no directory.
        public static let directoryUnusable = Code("state-directory")
        /// Others than the owner may read or write what must be private.
        public static let permissionsTooOpen = Code("permissions")
        /// The file is there, but cannot be read.
        public static let unreadable = Code("unreadable")
        /// The file's content makes no sense. It is left as it is.
        public static let corrupt = Code("corrupt")
        /// Nothing could be written; what was there before is unharmed.
        public static let writeFailed = Code("write-failed")
        /// No peer has that name or fingerprint.
        public static let unknownPeer = Code("unknown-peer")
    }

    public let code: Code
    public let path: String
    public let detail: String

    public init(_ code: Code, path: String, _ detail: String) {
        self.code = code
        self.path = path
        self.detail = detail
    }

    public var description: String { "\(path): \(detail)" }
}

/// The text of an `errno` value.
func errorText(_ code: Int32) -> String { String(cString: strerror(code)) }

/// Why an app cannot be used: names the file and, where there is one, the key.
public struct AppBundleError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Open to additions.
    public struct Code: Sendable, Hashable {
        public let name: String
        public static let executableMissing = Code(name: "executable-missing")
        public static let resourcesMissing = Code(name: "resources-missing")
        public static let plistMissing = Code(name: "plist-missing")
        public static let plistInvalid = Code(name: "plist-invalid")
        public static let keyMissing = Code(name: "key-missing")
        public static let entitlementMissing = Code(name: "entitlement-missing")
        public static let entitlementConflict = Code(name: "entitlement-conflict")
    }

    public let code: Code
    public let description: String

    public init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}

/// What went wrong with an app, seen by the phone.
public struct AppHostError: Error, Sendable, Equatable, CustomStringConvertible {
    /// Open to additions.
    public struct Code: Sendable, Hashable {
        public let name: String
        /// No installed app has this identifier.
        public static let unknownApp = Code(name: "unknown-app")
        /// The system could not start the process.
        public static let launchFailed = Code(name: "launch-failed")
        /// It took longer for something than its budget allows; `AppExit.watchdog` says for what.
        public static let watchdog = Code(name: "watchdog")
        /// The Hello, or the first message, is not one this version can use.
        public static let badHello = Code(name: "bad-hello")
        /// The app's bytes break the App Link's rules.
        public static let badBytes = Code(name: "bad-bytes")
        /// The app does not read what is sent to it.
        public static let notReading = Code(name: "not-reading")
    }

    public let code: Code
    public let description: String

    public init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}

import FasciaAppLink
import Foundation
import Synchronization

/// Names of exceptions CarPlay raises.
package enum ExceptionName {
    package static let generic = "NSGenericException"
    package static let invalidArgument = "NSInvalidArgumentException"
    package static let internalInconsistency = "NSInternalInconsistencyException"
}

/// Broken rules. Where iOS raises an Objective-C exception, which nobody catches, the app process ends here just the same.
package enum Faults {
    private static let observer = Mutex<(@Sendable (_ name: String, _ reason: String) -> Void)?>(nil)

    /// Tests see raises here instead of losing the process.
    package static func observeRaises(_ observe: (@Sendable (_ name: String, _ reason: String) -> Void)?) {
        observer.withLock { $0 = observe }
    }

    /// Raises: tells the phone, prints what iOS would print, ends the process by SIGABRT. Returns only under a test's observer.
    package static func raise(_ name: String, _ reason: String) {
        if let observe = observer.withLock({ $0 }) { return observe(name, reason) }
        report(name, reason, fatal: true)
        printError("*** Terminating app due to uncaught exception '\(name)', reason: '\(reason)'")
        AppOutput.shared.drain(seconds: 1)
        signal(SIGABRT, SIG_DFL)
        abort()
    }

    /// Reports a rule the app broke that it may go on after.
    package static func warn(_ name: String, _ reason: String) {
        report(name, reason, fatal: false)
        printError("\(name): \(reason)")
    }

    /// Ends the process for something that cannot be raised by app code: a wrong plist, a missing class.
    package static func endProcess(_ name: String, _ reason: String) -> Never {
        report(name, reason, fatal: true)
        printError("\(name): \(reason)")
        AppOutput.shared.drain(seconds: 1)
        exit(70) // EX_SOFTWARE
    }

    private static func report(_ name: String, _ reason: String, fatal: Bool) {
        AppOutput.shared.send(.with { message in
            message.fault = .with { fault in
                fault.name = name
                fault.reason = String(reason.prefix(2_000))
                fault.fatal = fatal
            }
        })
    }
}

/// One line on standard error. With the phone gone nobody reads it, which is no reason to trap (`FileHandle.write` would).
package func printError(_ text: String) {
    let line = Array("\(text)\n".utf8)
    _ = write(STDERR_FILENO, line, line.count)
}

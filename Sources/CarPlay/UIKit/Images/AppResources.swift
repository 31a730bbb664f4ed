import FasciaAppLink
import Foundation
import Synchronization

/// The app's resource directory, readable from any thread.
package enum AppResources {
    private static let override = Mutex<String?>(nil)

    private static let found: String? = {
        if let given = ProcessInfo.processInfo.environment["FASCIA_APP_RESOURCES"] { return given }
        guard let executable = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else { return nil }
        return try? AppBundleLayout.resources(of: executable)
    }()

    package static var directory: String? { override.withLock { $0 } ?? found }

    /// For tests.
    package static func use(directory: String?) { override.withLock { $0 = directory } }
}

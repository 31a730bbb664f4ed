import Glibc

/// Why a lab cannot do what it was asked.
public struct LabError: Error, CustomStringConvertible, Sendable {
    public enum Code: String, Sendable {
        /// Not root, or namespaces and TUN devices are not to be had here.
        case notAllowed = "not-allowed"
        case wrongName = "wrong-name"
        case alreadyUp = "already-up"
        case notUp = "not-up"
        /// The link understood the command and refuses it.
        case refused
        /// The program to become does not exist or is none.
        case cannotRun = "cannot-run"
        case failed
    }

    public let code: Code
    public let description: String

    init(_ code: Code, _ description: String) { (self.code, self.description) = (code, description) }

    /// With what the system says of the call that has just failed.
    static func system(_ what: String, _ number: Int32 = errno) -> LabError {
        let reason = "\(what): \(String(cString: strerror(number)))"
        guard number == EPERM || number == EACCES else { return LabError(.failed, reason) }
        return LabError(.notAllowed, reason + ". " + needsRoot)
    }

    static let needsRoot = "A lab makes network namespaces and TUN devices: run it as root (sudo fascia lab …), in a container with --privileged."
}

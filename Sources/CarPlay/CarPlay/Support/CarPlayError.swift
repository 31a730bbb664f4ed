/// Domain of the errors given to completion handlers.
public let CarPlayErrorDomain = "CarPlayErrorDomain"

enum CarPlayError {
    /// Codes in `CarPlayErrorDomain`; Apple documents none.
    enum Code: Int {
        case refused = 1, disconnected = 2, phoneRefused = 3
    }

    static func make(_ code: Code, _ reason: String) -> NSError {
        NSError(domain: CarPlayErrorDomain, code: code.rawValue, userInfo: [NSLocalizedDescriptionKey: reason, NSLocalizedFailureReasonErrorKey: reason])
    }
}

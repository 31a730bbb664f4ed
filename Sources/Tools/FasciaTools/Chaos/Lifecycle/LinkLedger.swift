import FasciaEvents

/// What one end says of its session: begun once, ended once, resumed only while it lasts.
struct LinkLedger {
    enum State: Equatable {
        case none
        case up(session: String)
        case suspended(session: String)

        var session: String? {
            switch self {
            case .none: nil
            case .up(let session), .suspended(let session): session
            }
        }
    }

    /// Reasons that say that an end of the session made a mistake.
    private static let faults: Set = [
        "PROTOCOL_ERROR", "FRAME_TOO_LARGE", "BAD_FRAGMENT", "MESSAGE_TOO_LARGE", "CREDIT_EXCEEDED", "ILLEGAL_MESSAGE", "BAD_MESSAGE", "BAD_RESOURCE", "BAD_COMMIT",
        "RESOURCES_EXHAUSTED", "VERSION_UNSUPPORTED", "INTERNAL_ERROR",
    ]

    private(set) var state = State.none
    /// The picture of the newest connection was on the screen (the phone's end only).
    private(set) var hasFirstFrame = false
    private(set) var lastFirstFrame: UInt64 = 0
    private(set) var sessions = 0
    private(set) var resumes = 0

    /// - Returns: what is wrong with it, nil when nothing is.
    mutating func note(_ record: EventRecord) -> String? {
        switch record.event {
        case "connected":
            let session = record["session"]?.string ?? ""
            defer {
                state = .up(session: session)
                hasFirstFrame = false
                sessions += 1
            }
            return state == .none ? nil : "connected with session \(session.prefix(8)) while there is session \(state.session?.prefix(8) ?? "")"
        case "resumed":
            let session = record["session"]?.string ?? "", before = state
            defer {
                state = .up(session: session)
                hasFirstFrame = false
                resumes += 1
            }
            return before.session == session ? nil : "resumed session \(session.prefix(8)), but there is \(before.session.map { "session \($0.prefix(8))" } ?? "none")"
        case "first-frame":
            hasFirstFrame = true
            lastFirstFrame = record.time
            return nil
        case "suspended":
            guard let session = state.session else { return "suspended without a session" }
            state = .suspended(session: session)
            return nil
        case "disconnected":
            defer { state = .none }
            if state == .none { return "disconnected without a session" }
            // Faults take connections away; they make neither end break a rule.
            let reason = record["reason"]?.string ?? ""
            return Self.faults.contains(reason) ? "disconnected for \(reason): \(record["detail"]?.string ?? "")" : nil
        default: return nil
        }
    }

    /// The process is gone; sessions and resumes go on being counted.
    mutating func processEnded() {
        state = .none
        hasFirstFrame = false
    }
}

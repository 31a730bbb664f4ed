import FasciaAppLink
import FasciaAppSound

/// What the host tells about one app.
public enum AppHostEvent: Sendable {
    /// The process runs; it has not said Hello yet.
    /// - Parameter sound: the phone's end of its sound (spec/appsound.md).
    case launched(pid: Int32, sound: PhoneSoundSocket)
    /// It said Hello: from here on it takes messages.
    case ready
    /// A message other than Hello.
    case message(AppFromApp)
    /// Half of a budget is used up.
    case watchdogWarning(WatchdogNotice)
    /// The watchdog has looked at the app it ends (`.failed` told of it already). `report` is the path of the JSON file, with the same
    /// as text beside it; nil if none could be written.
    case watchdog(WatchdogNotice, report: String?)
    /// The process is gone. Exactly one for each launch that got as far as `.launched`, and always the last.
    case exited(AppExit)
    /// Something is wrong with the app; where a process runs, it is being ended and `.exited` follows.
    case failed(AppHostError)
}

/// How an app process ended.
public struct AppExit: Sendable, Equatable, CustomStringConvertible {
    public enum Status: Sendable, Equatable {
        /// `exit(code)`.
        case code(Int32)
        /// Ended by a signal.
        case signal(Int32)
    }

    public let status: Status
    /// The last fatal Fault the app reported before it ended: Apple's exception name and reason.
    public let fault: String?
    /// What the host itself ended the process for, if it did.
    public let endedFor: AppHostError?
    /// What took too long, if the watchdog ended it.
    public let watchdog: WatchdogNotice?

    /// How the watchdog's work is named since iOS 4: "ate bad food".
    public static let watchdogCode = "0x8badf00d"
    public enum Cause: String, Sendable, Equatable {
        /// Left by itself with status 0, or did what it was asked to.
        case orderly
        /// Left by itself with another status.
        case failure
        /// A signal that it brought on itself.
        case crash
        case watchdog
        /// Ended for breaking the rules of the App Link.
        case ended
    }

    public var cause: Cause {
        if watchdog != nil { return .watchdog }
        if endedFor != nil { return .ended }
        switch status {
        case .code(0): return .orderly
        case .code: return .failure
        case .signal: return .crash
        }
    }

    /// True for an app that left by itself with status 0, or was asked to.
    public var isOrderly: Bool { status == .code(0) && endedFor == nil }

    public var description: String {
        if watchdog != nil, let endedFor { return "watchdog \(Self.watchdogCode): \(endedFor)" }
        var text: String
        switch status {
        case .code(let code): text = "exited with status \(code)"
        case .signal(let number): text = "ended by \(SignalName.name(number)) (\(SignalName.meaning(number)))"
        }
        if let endedFor { text += " because \(endedFor)" }
        if let fault { text += ": \(fault)" }
        return text
    }
}

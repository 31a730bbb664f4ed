import FasciaAppRuntime
import Foundation

public enum MPRemoteCommandHandlerStatus: Int, Sendable {
    case success = 0
    case noSuchContent = 100
    case noActionableNowPlayingItem = 110
    case deviceNotFound = 120
    case commandFailed = 200
}

extension MPRemoteCommandHandlerStatus: CustomStringConvertible {
    public var description: String {
        switch self {
        case .success: "success"
        case .noSuchContent: "no such content"
        case .noActionableNowPlayingItem: "nothing to act on"
        case .deviceNotFound: "device not found"
        case .commandFailed: "failed"
        }
    }
}

/// One thing a car can ask of the player. Offered by the car when it is enabled and has a target.
open class MPRemoteCommand: NSObject, @unchecked Sendable {
    private let lock = NSLock()
    private var targets: [(token: NSObject, handler: (MPRemoteCommandEvent) -> MPRemoteCommandHandlerStatus)] = []
    private var enabled = true

    public var isEnabled: Bool {
        get { lock.withLock { enabled } }
        set {
            lock.withLock { enabled = newValue }
            PendingChanges.shared.remoteCommandsChanged()
        }
    }

    /// Adds a handler, called on the main thread.
    /// - Returns: what `removeTarget(_:)` takes.
    @discardableResult
    open func addTarget(handler: @escaping (MPRemoteCommandEvent) -> MPRemoteCommandHandlerStatus) -> Any {
        let token = NSObject()
        lock.withLock { targets.append((token, handler)) }
        PendingChanges.shared.remoteCommandsChanged()
        return token
    }

    /// Removes one target; nil removes all.
    open func removeTarget(_ target: Any?) {
        let token = target.map { $0 as AnyObject }
        lock.withLock { targets.removeAll { token == nil || $0.token === token } }
        PendingChanges.shared.remoteCommandsChanged()
    }

    var isOffered: Bool { lock.withLock { enabled && !targets.isEmpty } }

    /// Calls the handlers in the order added.
    /// - Returns: the first status that is no success; nil without handlers.
    @discardableResult
    package func send(_ event: MPRemoteCommandEvent) -> MPRemoteCommandHandlerStatus? {
        let handlers = lock.withLock { enabled ? targets.map(\.handler) : [] }
        let answers = handlers.map { $0(event) }
        return answers.first { $0 != .success } ?? answers.first
    }
}

public final class MPFeedbackCommand: MPRemoteCommand, @unchecked Sendable {
    public var isActive = false
    public var localizedTitle = ""
    public var localizedShortTitle = ""
}

public final class MPRatingCommand: MPRemoteCommand, @unchecked Sendable {
    public var minimumRating: Float = 0
    public var maximumRating: Float = 1
}

public final class MPSkipIntervalCommand: MPRemoteCommand, @unchecked Sendable {
    /// Seconds; the first is used.
    public var preferredIntervals: [NSNumber] = [10] {
        didSet { PendingChanges.shared.remoteCommandsChanged() }
    }
}

public final class MPChangePlaybackRateCommand: MPRemoteCommand, @unchecked Sendable {
    public var supportedPlaybackRates: [NSNumber] = [] {
        didSet { PendingChanges.shared.remoteCommandsChanged() }
    }
}

public final class MPChangePlaybackPositionCommand: MPRemoteCommand, @unchecked Sendable {}

public enum MPRepeatType: Int, Sendable { case off, one, all }
public enum MPShuffleType: Int, Sendable { case off, items, collections }

public final class MPChangeRepeatModeCommand: MPRemoteCommand, @unchecked Sendable {
    public var currentRepeatType = MPRepeatType.off {
        didSet { PendingChanges.shared.remoteCommandsChanged() }
    }
}

public final class MPChangeShuffleModeCommand: MPRemoteCommand, @unchecked Sendable {
    public var currentShuffleType = MPShuffleType.off {
        didSet { PendingChanges.shared.remoteCommandsChanged() }
    }
}

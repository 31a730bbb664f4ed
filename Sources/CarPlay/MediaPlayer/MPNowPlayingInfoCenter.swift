import FasciaAppLink
import FasciaAppRuntime
@_exported import UIKit

public enum MPNowPlayingPlaybackState: UInt, Sendable { case unknown, playing, paused, stopped, interrupted }

public enum MPNowPlayingInfoMediaType: UInt, Sendable { case none, audio, video }

/// What plays, as the car shows it. Elapsed time is inferred from `elapsed + rate`: set it when it jumps, not every second.
/// May be set from any thread.
open class MPNowPlayingInfoCenter: NSObject, @unchecked Sendable {
    private static let shared = MPNowPlayingInfoCenter()

    open class func `default`() -> MPNowPlayingInfoCenter { shared }

    private let lock = NSLock()
    private var info: [String: Any]?
    private var state = MPNowPlayingPlaybackState.unknown
    private var asOf: UInt64 = 0

    private override init() {
        super.init()
        DispatchQueue.main.async {
            MainActor.assumeIsolated { AppSession.shared.nowPlaying = { MPNowPlayingInfoCenter.shared.encode($0) } }
            // What was set before may have been due already, with nobody here to say it.
            PendingChanges.shared.nowPlayingChanged()
        }
    }

    /// Values by `MPMediaItemProperty…` and `MPNowPlayingInfoProperty…`; nil when nothing plays.
    open var nowPlayingInfo: [String: Any]? {
        get { lock.withLock { info } }
        set {
            lock.withLock {
                info = newValue
                asOf = MonotonicTime.now()
            }
            PendingChanges.shared.nowPlayingChanged()
        }
    }

    /// iOS derives it from the audio session; it may be set all the same.
    open var playbackState: MPNowPlayingPlaybackState {
        get { lock.withLock { state } }
        set {
            lock.withLock { state = newValue }
            PendingChanges.shared.nowPlayingChanged()
        }
    }

    @MainActor
    package func encode(_ encoder: TemplateEncoder) -> AppNowPlaying {
        lock.lock()
        let (current, state, asOf) = (info, self.state, self.asOf)
        lock.unlock()
        guard let info = current else { return AppNowPlaying() }
        func text(_ key: String) -> String { (info[key] as? String).map { String($0.prefix(1_000)) } ?? "" }
        func number(_ key: String) -> Double? {
            let value = Self.double(info[key])
            return value.flatMap { $0.isFinite ? $0 : nil }
        }
        var message = AppNowPlaying()
        message.present = true
        message.title = text(MPMediaItemPropertyTitle)
        message.artist = text(MPMediaItemPropertyArtist)
        message.album = text(MPMediaItemPropertyAlbumTitle)
        message.artwork = encoder.image((info[MPMediaItemPropertyArtwork] as? MPMediaItemArtwork)?.displayed)
        message.duration = max(0, number(MPMediaItemPropertyPlaybackDuration) ?? 0)
        message.elapsed = max(0, number(MPNowPlayingInfoPropertyElapsedPlaybackTime) ?? 0)
        message.defaultRate = number(MPNowPlayingInfoPropertyDefaultPlaybackRate) ?? 1
        let rate = number(MPNowPlayingInfoPropertyPlaybackRate) ?? (state == .paused || state == .stopped ? 0 : message.defaultRate)
        message.rate = state == .paused || state == .stopped ? 0 : rate
        message.live = (number(MPNowPlayingInfoPropertyIsLiveStream) ?? 0) != 0
        message.asOfNs = asOf
        message.playbackState = UInt32(state.rawValue)
        let count = min(1e6, max(0, number(MPNowPlayingInfoPropertyPlaybackQueueCount) ?? 0))
        if count >= 1 {
            message.queueCount = UInt32(count)
            message.queueIndex = UInt32(min(count - 1, max(0, number(MPNowPlayingInfoPropertyPlaybackQueueIndex) ?? 0)))
        }
        return message
    }
}

extension MPNowPlayingInfoCenter {
    /// iOS bridges every Swift number to NSNumber; here each kind is looked at.
    fileprivate static func double(_ value: Any?) -> Double? {
        switch value {
        case let value as Double: value
        case let value as Float: Double(value)
        case let value as CGFloat: Double(value)
        case let value as Bool: value ? 1 : 0
        case let value as any BinaryInteger: Double(value)
        case let value as NSNumber: value.doubleValue
        default: nil
        }
    }
}

/// The clock both processes share.
enum MonotonicTime {
    static func now() -> UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}

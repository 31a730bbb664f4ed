import Foundation

/// A moment: host time (nanoseconds of the monotonic clock), sample time, or both.
open class AVAudioTime: NSObject, @unchecked Sendable {
    public let hostTime: UInt64
    public let sampleTime: AVAudioFramePosition
    public let sampleRate: Double
    public let isHostTimeValid: Bool
    public let isSampleTimeValid: Bool

    public init(hostTime: UInt64) {
        (self.hostTime, sampleTime, sampleRate, isHostTimeValid, isSampleTimeValid) = (hostTime, 0, 0, true, false)
    }

    public init(sampleTime: AVAudioFramePosition, atRate sampleRate: Double) {
        (hostTime, self.sampleTime, self.sampleRate, isHostTimeValid, isSampleTimeValid) = (0, sampleTime, sampleRate, false, true)
    }

    public init(hostTime: UInt64, sampleTime: AVAudioFramePosition, atRate sampleRate: Double) {
        (self.hostTime, self.sampleTime, self.sampleRate, isHostTimeValid, isSampleTimeValid) = (hostTime, sampleTime, sampleRate, true, true)
    }

    open class func hostTime(forSeconds seconds: TimeInterval) -> UInt64 { seconds > 0 ? UInt64(min(seconds, 9e9) * 1e9) : 0 }
    open class func seconds(forHostTime hostTime: UInt64) -> TimeInterval { TimeInterval(hostTime) / 1e9 }

    public var audioTimeStamp: AudioTimeStamp {
        AudioTimeStamp(mSampleTime: Double(sampleTime), mHostTime: hostTime,
                       mFlags: (isSampleTimeValid ? .sampleTimeValid : AudioTimeStampFlags()).union(isHostTimeValid ? .hostTimeValid : []))
    }

    /// This time with what it lacks, taken from a moment that has both. Nil if nothing can be told.
    open func extrapolateTime(fromAnchor anchor: AVAudioTime) -> AVAudioTime? {
        guard anchor.isHostTimeValid, anchor.isSampleTimeValid, anchor.sampleRate > 0 else { return nil }
        if isHostTimeValid {
            let seconds = (Double(hostTime) - Double(anchor.hostTime)) / 1e9
            return AVAudioTime(hostTime: hostTime, sampleTime: anchor.sampleTime + Int64(seconds * anchor.sampleRate), atRate: anchor.sampleRate)
        }
        guard isSampleTimeValid, sampleRate > 0 else { return nil }
        let seconds = Double(sampleTime) / sampleRate - Double(anchor.sampleTime) / anchor.sampleRate
        return AVAudioTime(hostTime: UInt64(max(0, Double(anchor.hostTime) + seconds * 1e9)), sampleTime: sampleTime, atRate: sampleRate)
    }
}

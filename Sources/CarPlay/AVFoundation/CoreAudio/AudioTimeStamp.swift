public struct AudioTimeStampFlags: OptionSet, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let sampleTimeValid = Self(rawValue: 1)
    public static let hostTimeValid = Self(rawValue: 2)
    public static let rateScalarValid = Self(rawValue: 4)
    public static let sampleHostTimeValid: Self = [.sampleTimeValid, .hostTimeValid]
}

/// A moment on the render clock.
public struct AudioTimeStamp: Sendable {
    /// Frames.
    public var mSampleTime: Double
    /// Nanoseconds of the monotonic clock.
    public var mHostTime: UInt64
    public var mRateScalar: Double
    public var mFlags: AudioTimeStampFlags

    public init(mSampleTime: Double = 0, mHostTime: UInt64 = 0, mRateScalar: Double = 1, mFlags: AudioTimeStampFlags = []) {
        self.mSampleTime = mSampleTime
        self.mHostTime = mHostTime
        self.mRateScalar = mRateScalar
        self.mFlags = mFlags
    }
}

public typealias AudioFormatID = UInt32
public typealias AudioFormatFlags = UInt32

private func code(_ text: StaticString) -> UInt32 {
    text.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
}

public let kAudioFormatLinearPCM: AudioFormatID = code("lpcm")
public let kAudioFormatMPEG4AAC: AudioFormatID = code("aac ")
public let kAudioFormatMPEGLayer3: AudioFormatID = code(".mp3")
public let kAudioFormatFLAC: AudioFormatID = code("flac")
public let kAudioFormatOpus: AudioFormatID = code("opus")
public let kAudioFormatAppleLossless: AudioFormatID = code("alac")

public let kAudioFormatFlagIsFloat: AudioFormatFlags = 1
public let kAudioFormatFlagIsBigEndian: AudioFormatFlags = 2
public let kAudioFormatFlagIsSignedInteger: AudioFormatFlags = 4
public let kAudioFormatFlagIsPacked: AudioFormatFlags = 8
public let kAudioFormatFlagIsNonInterleaved: AudioFormatFlags = 32

/// The shape of a stream of samples.
public struct AudioStreamBasicDescription: Hashable, Sendable {
    public var mSampleRate: Double = 0
    public var mFormatID: AudioFormatID = 0
    public var mFormatFlags: AudioFormatFlags = 0
    public var mBytesPerPacket: UInt32 = 0
    public var mFramesPerPacket: UInt32 = 0
    public var mBytesPerFrame: UInt32 = 0
    public var mChannelsPerFrame: UInt32 = 0
    public var mBitsPerChannel: UInt32 = 0
    public var mReserved: UInt32 = 0

    public init() {}

    public init(
        mSampleRate: Double, mFormatID: AudioFormatID, mFormatFlags: AudioFormatFlags, mBytesPerPacket: UInt32, mFramesPerPacket: UInt32,
        mBytesPerFrame: UInt32, mChannelsPerFrame: UInt32, mBitsPerChannel: UInt32, mReserved: UInt32
    ) {
        self.mSampleRate = mSampleRate
        self.mFormatID = mFormatID
        self.mFormatFlags = mFormatFlags
        self.mBytesPerPacket = mBytesPerPacket
        self.mFramesPerPacket = mFramesPerPacket
        self.mBytesPerFrame = mBytesPerFrame
        self.mChannelsPerFrame = mChannelsPerFrame
        self.mBitsPerChannel = mBitsPerChannel
        self.mReserved = mReserved
    }
}

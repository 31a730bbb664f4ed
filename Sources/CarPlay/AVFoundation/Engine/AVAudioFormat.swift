import Foundation

public enum AVAudioCommonFormat: UInt, Sendable {
    case otherFormat, pcmFormatFloat32, pcmFormatFloat64, pcmFormatInt16, pcmFormatInt32
}

/// How samples lie in a buffer, or in a file. Buffers hold Float32 and Int16.
open class AVAudioFormat: NSObject, @unchecked Sendable {
    public let commonFormat: AVAudioCommonFormat
    /// Frames a second.
    public let sampleRate: Double
    public let channelCount: AVAudioChannelCount
    public let isInterleaved: Bool
    private let formatID: AudioFormatID

    /// Deinterleaved Float32. Nil for a rate or a number of channels nobody has.
    public init?(standardFormatWithSampleRate sampleRate: Double, channels: AVAudioChannelCount) {
        guard Self.isSane(sampleRate, channels) else { return nil }
        (commonFormat, self.sampleRate, channelCount, isInterleaved, formatID) = (.pcmFormatFloat32, sampleRate, channels, false, kAudioFormatLinearPCM)
    }

    public init?(commonFormat format: AVAudioCommonFormat, sampleRate: Double, channels: AVAudioChannelCount, interleaved: Bool) {
        guard Self.isSane(sampleRate, channels), format != .otherFormat else { return nil }
        (commonFormat, self.sampleRate, channelCount, isInterleaved, formatID) = (format, sampleRate, channels, interleaved, kAudioFormatLinearPCM)
    }

    public convenience init?(streamDescription asbd: UnsafePointer<AudioStreamBasicDescription>) {
        let description = asbd.pointee
        let isFloat = description.mFormatFlags & kAudioFormatFlagIsFloat != 0
        let format: AVAudioCommonFormat? = switch (isFloat, description.mBitsPerChannel) {
        case (true, 32): .pcmFormatFloat32
        case (true, 64): .pcmFormatFloat64
        case (false, 16): .pcmFormatInt16
        case (false, 32): .pcmFormatInt32
        default: nil
        }
        guard description.mFormatID == kAudioFormatLinearPCM, let format else { return nil }
        self.init(commonFormat: format, sampleRate: description.mSampleRate, channels: description.mChannelsPerFrame,
                  interleaved: description.mFormatFlags & kAudioFormatFlagIsNonInterleaved == 0)
    }

    /// From the keys `AVFormatIDKey`, `AVSampleRateKey`, `AVNumberOfChannelsKey`, `AVLinearPCM…Key`.
    public init?(settings: [String: Any]) {
        func number(_ key: String) -> Double? { SettingValue.double(settings[key]) }
        let rate = number(AVSampleRateKey) ?? 0, channels = AVAudioChannelCount(exactly: number(AVNumberOfChannelsKey) ?? 1) ?? 0
        guard Self.isSane(rate, channels) else { return nil }
        let id = AudioFormatID(exactly: number(AVFormatIDKey) ?? Double(kAudioFormatLinearPCM)) ?? 0
        let isFloat = (number(AVLinearPCMIsFloatKey) ?? 0) != 0, bits = number(AVLinearPCMBitDepthKey) ?? (isFloat ? 32 : 16)
        sampleRate = rate
        channelCount = channels
        formatID = id
        isInterleaved = (number(AVLinearPCMIsNonInterleaved) ?? 0) == 0
        commonFormat = id != kAudioFormatLinearPCM ? .otherFormat
            : isFloat ? (bits == 64 ? .pcmFormatFloat64 : .pcmFormatFloat32) : bits == 32 ? .pcmFormatInt32 : bits == 16 ? .pcmFormatInt16 : .otherFormat
    }

    init(file sampleRate: Double, channels: AVAudioChannelCount, formatID: AudioFormatID) {
        (commonFormat, self.sampleRate, channelCount, isInterleaved, self.formatID)
            = (formatID == kAudioFormatLinearPCM ? .pcmFormatInt16 : .otherFormat, sampleRate, channels, true, formatID)
    }

    /// Deinterleaved Float32 of a rate and channels already known to be sane; what is not becomes the nearest that is.
    init(floatAt sampleRate: Double, channels: Int) {
        (commonFormat, self.sampleRate, channelCount, isInterleaved, formatID)
            = (.pcmFormatFloat32, sampleRate >= 1 ? min(sampleRate, 768_000) : 48_000, AVAudioChannelCount(min(64, max(1, channels))), false, kAudioFormatLinearPCM)
    }

    private static func isSane(_ rate: Double, _ channels: AVAudioChannelCount) -> Bool { (1...768_000).contains(rate) && (1...64).contains(channels) }

    public var isStandard: Bool { commonFormat == .pcmFormatFloat32 && !isInterleaved }

    public var settings: [String: Any] {
        [AVFormatIDKey: formatID, AVSampleRateKey: sampleRate, AVNumberOfChannelsKey: Int(channelCount), AVLinearPCMBitDepthKey: bytesPerSample * 8,
         AVLinearPCMIsFloatKey: commonFormat == .pcmFormatFloat32 || commonFormat == .pcmFormatFloat64, AVLinearPCMIsBigEndianKey: false,
         AVLinearPCMIsNonInterleaved: !isInterleaved]
    }

    /// Bytes of one sample of one channel.
    var bytesPerSample: Int {
        switch commonFormat {
        case .pcmFormatInt16: 2
        case .pcmFormatFloat64: 8
        default: 4
        }
    }

    var fileFormatID: AudioFormatID { formatID }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVAudioFormat else { return false }
        return commonFormat == other.commonFormat && sampleRate == other.sampleRate && channelCount == other.channelCount
            && isInterleaved == other.isInterleaved && formatID == other.formatID
    }

    open override var hash: Int { [Int(commonFormat.rawValue), Int(sampleRate), Int(channelCount), isInterleaved ? 1 : 0].hashValue }

    open override var description: String {
        "<AVAudioFormat: \(channelCount) ch, \(Int(sampleRate)) Hz, \(commonFormat), \(isInterleaved ? "interleaved" : "deinterleaved")>"
    }
}

/// Numbers in a settings dictionary, of whichever kind: iOS bridges each to NSNumber.
enum SettingValue {
    static func double(_ value: Any?) -> Double? {
        let number: Double? = switch value {
        case let value as Double: value
        case let value as Float: Double(value)
        case let value as Bool: value ? 1 : 0
        case let value as any BinaryInteger: Double(value)
        case let value as NSNumber: value.doubleValue
        default: nil
        }
        return number.flatMap { $0.isFinite ? $0 : nil }
    }
}

/// For `AVEncoderAudioQualityKey`; linear samples have no use for it.
public enum AVAudioQuality: Int, Sendable { case min = 0, low = 0x20, medium = 0x40, high = 0x60, max = 0x7F }

public let AVFormatIDKey = "AVFormatIDKey"
public let AVSampleRateKey = "AVSampleRateKey"
public let AVNumberOfChannelsKey = "AVNumberOfChannelsKey"
public let AVLinearPCMBitDepthKey = "AVLinearPCMBitDepthKey"
public let AVLinearPCMIsBigEndianKey = "AVLinearPCMIsBigEndianKey"
public let AVLinearPCMIsFloatKey = "AVLinearPCMIsFloatKey"
public let AVLinearPCMIsNonInterleaved = "AVLinearPCMIsNonInterleaved"
public let AVEncoderAudioQualityKey = "AVEncoderQualityKey"
public let AVEncoderBitRateKey = "AVEncoderBitRateKey"

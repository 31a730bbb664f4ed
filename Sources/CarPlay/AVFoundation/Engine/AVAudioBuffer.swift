import Foundation

/// Samples with their format.
open class AVAudioBuffer: NSObject, @unchecked Sendable {
    public let format: AVAudioFormat
    fileprivate let list: UnsafeMutableAudioBufferListPointer

    fileprivate init(format: AVAudioFormat, buffers: Int) {
        self.format = format
        list = AudioBufferList.allocate(maximumBuffers: buffers)
        super.init()
    }

    deinit { list.unsafeMutablePointer.deallocate() }

    public var audioBufferList: UnsafePointer<AudioBufferList> { list.unsafePointer }
    public var mutableAudioBufferList: UnsafeMutablePointer<AudioBufferList> { list.unsafeMutablePointer }
}

/// Linear samples.
open class AVAudioPCMBuffer: AVAudioBuffer, @unchecked Sendable {
    public let frameCapacity: AVAudioFrameCount
    private let memory: UnsafeMutableRawPointer
    private let floats: UnsafeMutablePointer<UnsafeMutablePointer<Float>>?
    private let shorts: UnsafeMutablePointer<UnsafeMutablePointer<Int16>>?
    private let longs: UnsafeMutablePointer<UnsafeMutablePointer<Int32>>?
    private var length: AVAudioFrameCount = 0

    /// Nil for a format that is not linear PCM, or more than 256 MiB.
    public init?(pcmFormat format: AVAudioFormat, frameCapacity: AVAudioFrameCount) {
        let channels = Int(format.channelCount), planes = format.isInterleaved ? 1 : channels
        let plane = Int(frameCapacity) * format.bytesPerSample * (format.isInterleaved ? channels : 1)
        guard format.commonFormat != .otherFormat, plane <= (256 << 20) / planes else { return nil }
        self.frameCapacity = frameCapacity
        memory = .allocate(byteCount: max(16, plane * planes), alignment: 16)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: max(16, plane * planes))
        floats = format.commonFormat == .pcmFormatFloat32 ? Self.table(memory, plane, format) : nil
        shorts = format.commonFormat == .pcmFormatInt16 ? Self.table(memory, plane, format) : nil
        longs = format.commonFormat == .pcmFormatInt32 ? Self.table(memory, plane, format) : nil
        super.init(format: format, buffers: planes)
        for index in 0..<planes {
            list[index] = AudioBuffer(mNumberChannels: UInt32(format.isInterleaved ? channels : 1), mDataByteSize: 0, mData: memory + index * plane)
        }
    }

    /// Where each channel begins.
    private static func table<T>(_ memory: UnsafeMutableRawPointer, _ plane: Int, _ format: AVAudioFormat) -> UnsafeMutablePointer<UnsafeMutablePointer<T>> {
        let table = UnsafeMutablePointer<UnsafeMutablePointer<T>>.allocate(capacity: Int(format.channelCount))
        for channel in 0..<Int(format.channelCount) {
            let first = memory + channel * (format.isInterleaved ? format.bytesPerSample : plane)
            (table + channel).initialize(to: first.assumingMemoryBound(to: T.self))
        }
        return table
    }

    deinit {
        memory.deallocate()
        floats?.deallocate()
        shorts?.deallocate()
        longs?.deallocate()
    }

    /// Frames that hold sound; at most `frameCapacity`.
    open var frameLength: AVAudioFrameCount {
        get { length }
        set {
            length = min(newValue, frameCapacity)
            for index in 0..<list.count {
                list[index].mDataByteSize = UInt32(Int(length) * format.bytesPerSample * (format.isInterleaved ? Int(format.channelCount) : 1))
            }
        }
    }

    /// Samples from one frame of a channel to the next.
    public var stride: Int { format.isInterleaved ? Int(format.channelCount) : 1 }
    /// One pointer a channel; nil unless the samples are Float32.
    public var floatChannelData: UnsafePointer<UnsafeMutablePointer<Float>>? { floats.map { UnsafePointer($0) } }
    /// One pointer a channel; nil unless the samples are Int16.
    public var int16ChannelData: UnsafePointer<UnsafeMutablePointer<Int16>>? { shorts.map { UnsafePointer($0) } }
    /// One pointer a channel; nil unless the samples are Int32.
    public var int32ChannelData: UnsafePointer<UnsafeMutablePointer<Int32>>? { longs.map { UnsafePointer($0) } }

    /// One sample as a float, 0 outside.
    func sample(_ frame: Int, _ channel: Int) -> Float {
        guard frame >= 0, frame < Int(length), channel < Int(format.channelCount) else { return 0 }
        if let floats { return floats[channel][frame * stride] }
        if let shorts { return Float(shorts[channel][frame * stride]) / 32_768 }
        if let longs { return Float(longs[channel][frame * stride]) / 2_147_483_648 }
        return 0
    }

    /// Sets one sample within the capacity.
    func set(_ frame: Int, _ channel: Int, _ value: Float) {
        guard frame >= 0, frame < Int(frameCapacity), channel < Int(format.channelCount) else { return }
        if let floats { floats[channel][frame * stride] = value }
        if let shorts { shorts[channel][frame * stride] = PCM.int16(value) }
        if let longs { longs[channel][frame * stride] = Int32((min(0.999_999_9, max(-1, value)) * 2_147_483_648).rounded(.towardZero)) }
    }
}

/// Conversions of samples.
enum PCM {
    /// Saturating; what is not a number is silence.
    @inline(__always)
    static func int16(_ value: Float) -> Int16 {
        guard value.isFinite else { return 0 }
        return Int16(max(-32_768, min(32_767, (value * 32_767).rounded())))
    }

    /// Decibels of a level 0...1, -160 for silence as iOS has it.
    static func decibels(_ level: Float) -> Float { level > 1e-8 ? max(-160, 20 * log10(level)) : -160 }
}

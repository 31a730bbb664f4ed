/// Core Audio's result code; 0 is success.
public typealias OSStatus = Int32
public let noErr: OSStatus = 0

public typealias AVAudioFrameCount = UInt32
public typealias AVAudioFramePosition = Int64
public typealias AVAudioChannelCount = UInt32
public typealias AVAudioNodeBus = Int
public typealias AVAudioPacketCount = UInt32

/// Samples of one channel, or of all of them interleaved.
public struct AudioBuffer {
    public var mNumberChannels: UInt32
    /// Bytes.
    public var mDataByteSize: UInt32
    public var mData: UnsafeMutableRawPointer?

    public init(mNumberChannels: UInt32 = 0, mDataByteSize: UInt32 = 0, mData: UnsafeMutableRawPointer? = nil) {
        self.mNumberChannels = mNumberChannels
        self.mDataByteSize = mDataByteSize
        self.mData = mData
    }
}

/// Header and first of `mNumberBuffers` buffers that lie one after the other in memory; walk them by
/// `UnsafeMutableAudioBufferListPointer`.
public struct AudioBufferList {
    public var mNumberBuffers: UInt32
    public var mBuffers: AudioBuffer

    public init(mNumberBuffers: UInt32 = 1, mBuffers: AudioBuffer = AudioBuffer()) {
        self.mNumberBuffers = mNumberBuffers
        self.mBuffers = mBuffers
    }

    static let firstBufferOffset = MemoryLayout<AudioBufferList>.size - MemoryLayout<AudioBuffer>.size

    public static func sizeInBytes(maximumBuffers: Int) -> Int {
        firstBufferOffset + max(1, maximumBuffers) * MemoryLayout<AudioBuffer>.stride
    }

    /// Memory for a list of `maximumBuffers` buffers; whoever asked frees it.
    public static func allocate(maximumBuffers: Int) -> UnsafeMutableAudioBufferListPointer {
        let bytes = sizeInBytes(maximumBuffers: maximumBuffers)
        let memory = UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: MemoryLayout<AudioBufferList>.alignment)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: bytes)
        let list = memory.assumingMemoryBound(to: AudioBufferList.self)
        list.pointee.mNumberBuffers = UInt32(max(1, maximumBuffers))
        return UnsafeMutableAudioBufferListPointer(list)
    }
}

/// The buffers of an `AudioBufferList` as a collection.
public struct UnsafeMutableAudioBufferListPointer: MutableCollection, RandomAccessCollection {
    public var unsafeMutablePointer: UnsafeMutablePointer<AudioBufferList>

    public init(_ pointer: UnsafeMutablePointer<AudioBufferList>) { unsafeMutablePointer = pointer }

    public init?(_ pointer: UnsafeMutablePointer<AudioBufferList>?) {
        guard let pointer else { return nil }
        self.init(pointer)
    }

    public var unsafePointer: UnsafePointer<AudioBufferList> { UnsafePointer(unsafeMutablePointer) }
    public var startIndex: Int { 0 }
    public var endIndex: Int { count }

    public var count: Int {
        get { Int(unsafeMutablePointer.pointee.mNumberBuffers) }
        nonmutating set { unsafeMutablePointer.pointee.mNumberBuffers = UInt32(clamping: newValue) }
    }

    public subscript(index: Int) -> AudioBuffer {
        get { buffers[index] }
        nonmutating set { buffers[index] = newValue }
    }

    private var buffers: UnsafeMutablePointer<AudioBuffer> {
        (UnsafeMutableRawPointer(unsafeMutablePointer) + AudioBufferList.firstBufferOffset).assumingMemoryBound(to: AudioBuffer.self)
    }
}

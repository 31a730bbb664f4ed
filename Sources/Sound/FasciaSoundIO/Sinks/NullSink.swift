import FasciaSound

/// Asks at the pace of the clock, and lets go of what it gets.
public final class NullSink: SoundSink {
    public let name = "null"
    private let thread: PacedThread
    private let block: SampleBlock

    /// - Parameter periodFrames: asked for at a time; 5 ms unless told.
    public init(periodFrames: Int = Mixer.step) {
        block = SampleBlock(frames: periodFrames)
        thread = PacedThread(period: block.period)
    }

    deinit { stop() }

    public var statistics: SinkStatistics { thread.statistics }

    public func start(_ render: @escaping SoundRender) throws(SoundError) {
        let (block, thread) = (block, thread)
        thread.start("sound-null", .init(tick: { time in
            let goesOn = render(block.samples, block.frames, time)
            thread.count { $0.frames += Int64(block.frames) }
            return goesOn
        }, rested: { periods in
            thread.count { $0.frames += Int64(periods * block.frames) }
        }))
    }

    public func wake() { thread.wake() }

    public func stop() { thread.stop() }
}

/// Memory for one period; only ever touched by the sink's thread.
final class SampleBlock: @unchecked Sendable {
    let frames: Int
    let samples: UnsafeMutablePointer<Float>

    init(frames: Int) {
        self.frames = min(max(frames, 48), 9600)
        samples = .allocate(capacity: self.frames * 2)
        samples.initialize(repeating: 0, count: self.frames * 2)
    }

    deinit { samples.deallocate() }

    /// Nanoseconds.
    var period: UInt64 { UInt64(frames) * 1_000_000_000 / UInt64(Mixer.sampleRate) }
}

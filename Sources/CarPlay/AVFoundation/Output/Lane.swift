import FasciaAppSound
import Synchronization

/// The sounds of one role, mixed into one stream that exists while there are any.
struct Lane {
    private static let lastStream = Atomic<UInt32>(0)

    /// Numbers for streams, outgoing and microphone; never reused in a process.
    static func nextStream() -> UInt32 { lastStream.add(1, ordering: .relaxed).newValue }

    let role: SoundOutput.Role
    /// The stream the phone knows of.
    var stream: UInt32?
    private var sequence: UInt32 = 0
    private var sampleRate = 48_000
    private var sampleTime: Int64 = 0
    private var isPlaying = false
    private var mix: [Float] = []
    private var samples: [Int16] = []

    init(role: SoundOutput.Role) { self.role = role }

    /// Renders one block.
    /// - Returns: the sources that ended in it.
    mutating func render(_ sources: [any RenderSource], at time: UInt64, sampleRate rate: Int, to port: (any SoundPort)?) -> [any RenderSource] {
        guard !sources.isEmpty else {
            if let stream { port?.stop(stream: stream, drain: true) }
            stream = nil
            isPlaying = false
            return []
        }
        if !isPlaying {
            isPlaying = true
            sampleRate = rate
        }
        let frames = sampleRate / 100
        if mix.count != frames * 2 {
            mix = [Float](repeating: 0, count: frames * 2)
            samples = [Int16](repeating: 0, count: frames * 2)
        }
        let clock = RenderClock(hostTime: time, sampleTime: sampleTime, sampleRate: Double(sampleRate))
        var ended: [any RenderSource] = []
        mix.withUnsafeMutableBufferPointer { mix in
            guard let base = mix.baseAddress else { return }
            mix.update(repeating: 0)
            for source in sources where !source.render(frames, to: base, at: clock) { ended.append(source) }
        }
        sampleTime += Int64(frames)
        send(at: time, to: port)
        return ended
    }

    private mutating func send(at time: UInt64, to port: (any SoundPort)?) {
        guard let port else { return }
        let id: UInt32
        if let stream { id = stream } else {
            id = Self.nextStream()
            stream = id
            sequence = 0
            port.start(stream: id, sampleRate: sampleRate, role: role.wire)
        }
        for index in mix.indices { samples[index] = PCM.int16(mix[index]) }
        samples.withUnsafeBufferPointer { port.send(stream: id, sequence: sequence, time: time, samples: $0) }
        sequence &+= 1
    }
}

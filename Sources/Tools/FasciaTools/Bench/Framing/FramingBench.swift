import CAllocationCounter
import FasciaEvents
import FasciaFraming
import FasciaProcesses

/// Runs the three readings in turn.
enum FramingBench {
    static let payloadBytes = 64
    static let bufferBytes = 65_536

    static func run(rounds: Int, seconds: Double) throws -> FramingReport {
        let buffer = FrameBuffer()
        var header = HeaderReading(), machine = try MachineReading()
        let nio = try NIOReading(buffer)
        defer { nio.close() }
        // Warm: grows the buffers that the steady state uses again.
        for _ in 0..<64 { try header.read(buffer); try machine.read(buffer); try nio.read() }

        var figures: (header: [Sample], machine: [Sample], nio: [Sample]) = ([], [], [])
        for _ in 0..<rounds {
            figures.header.append(try Sample.take(seconds, frames: buffer.frames) { try header.read(buffer) })
            figures.machine.append(try Sample.take(seconds, frames: buffer.frames) { try machine.read(buffer) })
            figures.nio.append(try Sample.take(seconds, frames: buffer.frames) { try nio.read() })
        }
        let allocations = (figures.header + figures.machine).map(\.allocationsPerFrame).max() ?? 0
        return FramingReport(
            framesPerSecond: figures.header.medianSpeed, payloadBytes: payloadBytes, machineFramesPerSecond: figures.machine.medianSpeed,
            allocationsPerFrame: fascia_counts_allocations() != 0 ? allocations : nil,
            yardsticks: [.init(name: "SwiftNIO length-field ByteToMessageDecoder", framesPerSecond: figures.nio.medianSpeed)])
    }
}

/// One timed stretch of one reading.
private struct Sample {
    let framesPerSecond: Double
    let allocationsPerFrame: Double

    /// Calls `body`, which reads `frames` frames, for about `seconds`.
    static func take(_ seconds: Double, frames: Int, _ body: () throws -> Void) throws -> Sample {
        let allocations = fascia_allocations_of_this_thread()
        let start = MonotonicClock.now()
        let end = start + UInt64(seconds * 1e9)
        var count = 0
        var now = start
        repeat {
            for _ in 0..<16 { try body() }
            count += 16 * frames
            now = MonotonicClock.now()
        } while now < end
        return Sample(framesPerSecond: (Double(count) / (Double(now - start) / 1e9)).rounded(),
                      allocationsPerFrame: Double(fascia_allocations_of_this_thread() - allocations) / Double(count))
    }
}

private extension [Sample] {
    var medianSpeed: Double { isEmpty ? 0 : map(\.framesPerSecond).sorted()[count / 2] }
}

/// As many whole MESSAGE frames as fit a socket read, on the display channel.
struct FrameBuffer {
    let bytes: [UInt8]
    let frames: Int

    init() {
        var bytes: [UInt8] = []
        let size = FramingLimits.headerSize + FramingBench.payloadBytes
        frames = FramingBench.bufferBytes / size
        let body = [UInt8](repeating: 0x5A, count: FramingBench.payloadBytes - FramingLimits.messageTypeSize)
        // Every other message comes in two fragments of 64 bytes, so that reassembly works too.
        var written = 0
        while written < frames {
            if written % 4 == 0, written + 2 <= frames {
                let long = [UInt8](repeating: 0xA5, count: 2 * FramingBench.payloadBytes - FramingLimits.messageTypeSize)
                FrameWriter.message(channel: 16, type: 0x1003, body: long, maxPayload: FramingBench.payloadBytes, into: &bytes)
                written += 2
            } else {
                FrameWriter.message(channel: 16, type: 0x1003, body: body, maxPayload: FramingBench.payloadBytes, into: &bytes)
                written += 1
            }
        }
        self.bytes = bytes
    }
}

/// Header parsing with full validation, no copy.
struct HeaderReading {
    private var scanner = FrameScanner()
    private(set) var checksum: UInt64 = 0

    @inline(never)
    mutating func read(_ buffer: FrameBuffer) throws {
        var offset = 0
        var sum = checksum
        var count = 0
        try buffer.bytes.withUnsafeBytes { bytes in
            while let header = try scanner.next(bytes, at: &offset) {
                sum &+= header.rawValue
                count += 1
            }
        }
        checksum = sum
        guard count == buffer.frames else { throw ToolError("the header parser found \(count) of \(buffer.frames) frames") }
    }
}

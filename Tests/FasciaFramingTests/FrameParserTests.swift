import Testing

@testable import FasciaFraming

struct FrameParserTests {
    /// Every frame type, fragments, an unknown type, an empty payload.
    static let stream: [UInt8] = {
        var bytes: [UInt8] = []
        FrameWriter.message(channel: 0, type: 1, body: [1, 2, 3], into: &bytes)
        FrameWriter.frame(FrameType(rawValue: 0x2A), flags: FrameFlags(rawValue: 0xFF), channel: 9, payload: [UInt8](), into: &bytes)
        FrameWriter.message(channel: 16, type: 0x1001, body: (0..<100).map { UInt8($0) }, maxPayload: 16, into: &bytes)
        FrameWriter.credit(70_000, channel: 4, into: &bytes)
        FrameWriter.probe(.max, ack: false, into: &bytes)
        FrameWriter.probe(1, ack: true, into: &bytes)
        FrameWriter.close(code: 0, detail: "good night", into: &bytes)
        return bytes
    }()

    func parse(_ bytes: [UInt8], chunk: Int, maxPayload: Int = 64) -> ([FrameParser.Frame], FramingError?) {
        var parser = FrameParser(maxPayload: maxPayload)
        var frames: [FrameParser.Frame] = []
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + chunk)
            frames += parser.frames(Array(bytes[start..<end]))
            start = end
        }
        return (frames, parser.failure)
    }

    @Test func anyChunkingGivesTheSameFrames() {
        let (whole, failure) = parse(Self.stream, chunk: .max / 2)
        #expect(failure == nil)
        #expect(whole.count == 13)
        #expect(whole.map(\.header.type.rawValue) == [1, 0x2A, 1, 1, 1, 1, 1, 1, 1, 2, 3, 3, 4])
        var again: [UInt8] = []
        for frame in whole { again += frame.header.bytes + frame.payload }
        #expect(again == Self.stream)
        for chunk in 1...Self.stream.count {
            let (frames, failure) = parse(Self.stream, chunk: chunk)
            #expect(frames == whole, "chunks of \(chunk)")
            #expect(failure == nil)
        }
    }

    @Test(arguments: FrameHeaderTests.cases.filter { $0.rule != nil })
    func anyChunkingGivesTheSameError(_ example: FrameHeaderTests.Case) {
        let bytes = Self.stream + example.bytes + Self.stream
        let whole = parse(bytes, chunk: bytes.count, maxPayload: FramingLimits.defaultMaxPayload)
        #expect(whole.1?.rule == example.rule)
        #expect(whole.0.count == 13)
        for chunk in [1, 2, 3, 5, 7, 8, 9, 63] {
            let cut = parse(bytes, chunk: chunk, maxPayload: FramingLimits.defaultMaxPayload)
            #expect(cut.0 == whole.0 && cut.1 == whole.1, "\(example.name), chunks of \(chunk)")
        }
    }

    @Test func nothingIsParsedAfterAnError() {
        var parser = FrameParser(maxPayload: 64)
        #expect(parser.frames([0xFF, 0, 0, 1, 0, 0, 0, 0]).isEmpty)
        #expect(parser.failure?.rule == .frameTooLarge)
        #expect(parser.frames(Self.stream).isEmpty)
        #expect(parser.pendingBytes == 0)
    }

    @Test func anErrorIsKnownFromTheHeaderAlone() {
        var parser = FrameParser(maxPayload: 64)
        _ = parser.frames([0, 0, 65, 1, 3, 0, 0])
        #expect(parser.failure == nil)
        _ = parser.frames([0])
        #expect(parser.failure?.rule == .frameTooLarge)
    }

    @Test func memoryGrowsOnlyAsBytesArrive() {
        var parser = FrameParser(maxPayload: FramingLimits.maxMaxPayload)
        _ = parser.frames([0xFF, 0xFF, 0xFF, 1, 3, 0, 0, 0, 1, 2, 3])
        #expect(parser.pendingBytes == 11)
        #expect(parser.pending.capacity < 256)
    }

    @Test func stoppingDropsTheRest() {
        var parser = FrameParser(maxPayload: 64)
        var count = 0
        _ = Self.stream.withUnsafeBytes { bytes in
            parser.receive(bytes) { _, _ in
                count += 1
                return count < 2
            }
        }
        #expect(count == 2)
        #expect(parser.pendingBytes == 0)
    }

    @Test func scannerStaysAtAnUnfinishedFrame() throws {
        let scanner = FrameScanner(maxPayload: 64)
        try Self.stream.withUnsafeBytes { bytes in
            var offset = 0
            let cut = UnsafeRawBufferPointer(rebasing: bytes[..<20])
            let first = try scanner.next(cut, at: &offset)
            #expect(first?.length == 5)
            #expect(offset == 13)
            let second = try scanner.next(cut, at: &offset)
            #expect(second == nil)
            #expect(offset == 13)
        }
    }
}

import Testing

@testable import FasciaFraming

struct FrameWriterTests {
    @Test func goldenFrames() {
        func written(_ write: (inout [UInt8]) -> Void) -> [UInt8] {
            var bytes: [UInt8] = []
            write(&bytes)
            return bytes
        }
        #expect(written { FrameWriter.credit(0x0102_0304, channel: 16, into: &$0) } == [0, 0, 4, 2, 0, 0, 0, 16, 1, 2, 3, 4])
        #expect(written { FrameWriter.probe(5, ack: true, into: &$0) } == [0, 0, 8, 3, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5])
        #expect(written { FrameWriter.close(code: 0x101, detail: "é", into: &$0) } == [0, 0, 6, 4, 0, 0, 0, 0, 0, 0, 1, 1, 0xC3, 0xA9])
        #expect(
            written { FrameWriter.message(channel: 1, type: 0x0101, body: [7], into: &$0) } == [0, 0, 3, 1, 3, 0, 0, 1, 1, 1, 7])
    }

    @Test(arguments: [0, 1, 13, 14, 15, 29, 30, 31, 1000])
    func fragmentsAddUp(_ size: Int) throws {
        let body = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
        var bytes: [UInt8] = []
        FrameWriter.message(channel: 16, type: 0x1003, body: body, maxPayload: 16, into: &bytes)
        var parser = FrameParser(maxPayload: 16)
        let frames = parser.frames(bytes)
        #expect(parser.failure == nil)
        #expect(frames.first?.header.flags.contains(.first) == true)
        #expect(frames.last?.header.flags.contains(.last) == true)
        #expect(frames.dropFirst().allSatisfy { !$0.header.flags.contains(.first) })
        #expect(frames.dropLast().allSatisfy { !$0.header.flags.contains(.last) })
        #expect(frames.flatMap(\.payload) == [0x10, 0x03] + body)
    }

    /// A first fragment holds the type and a byte at least.
    @Test(arguments: [(0, [3, 3, 1]), (3, [3, 3, 1]), (4, [4, 3]), (5, [5, 2])] as [(Int, [Int])])
    func smallFramesAreAsSmallAsAskedFor(_ room: Int, _ lengths: [Int]) {
        var bytes: [UInt8] = []
        FrameWriter.message(channel: 16, type: 0x1003, body: [1, 2, 3, 4, 5], maxPayload: room, into: &bytes)
        var parser = FrameParser(maxPayload: 16)
        #expect(parser.frames(bytes).map(\.header.length) == lengths)
    }

    @Test func closeDetailIsCutBetweenCharacters() {
        let detail = String(repeating: "é", count: 200)
        #expect(detail.prefix(utf8Bytes: 255).utf8.count == 254)
        var bytes: [UInt8] = []
        FrameWriter.close(code: 0, detail: "a" + detail, into: &bytes)
        #expect(bytes.count == 8 + 4 + 255)
    }

    @Test func creditCountsBothWays() {
        var receive = ReceiveCredit(initial: 100)
        let enough = receive.spend(60)
        #expect(enough)
        let tooMuch = receive.spend(41)
        #expect(!tooMuch)
        let due = receive.consume(60)
        #expect(due)
        let granted = receive.grant()
        #expect(granted == 60)
        #expect(receive.available == 100)
        // A quarter of the window is worth a frame.
        #expect([24, 1, 0].map { receive.consume($0) } == [false, true, true])
        var send = SendCredit(initial: 100)
        let added = [1, 0, UInt32(FramingLimits.maxCredit), .max].map { send.add($0) }
        #expect(added == [true, false, false, false])
        #expect(send.available == 101)
    }
}

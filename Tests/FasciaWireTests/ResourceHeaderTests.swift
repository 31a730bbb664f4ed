import FasciaWire
import Testing

struct ResourceHeaderTests {
    static let header = ResourceHeader(
        id: 0x0102_0304, format: .bgra8, compression: .zstd, width: 800, height: 480, contentHash: (1...16).map { UInt8($0) })
    static let golden: [UInt8] = [
        0x01, 0x02, 0x03, 0x04, 0x02, 0x01, 0x00, 0x00, 0x03, 0x20, 0x01, 0xE0, 0x00, 0x17, 0x70, 0x00,
        1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
    ]

    @Test func goldenBytes() throws {
        #expect(Self.header.encoded == Self.golden)
        #expect(try ResourceHeader(decoding: Self.golden) == Self.header)
        #expect(try ResourceHeader(decoding: ([9, 9] + Self.golden + [1])[2...]) == Self.header)
        #expect(Self.header.rawLength == 1_536_000)
    }

    @Test func everyRule() {
        func decode(_ change: (inout [UInt8]) -> Void) -> ResourceHeaderError? {
            var bytes = Self.golden
            change(&bytes)
            do throws(ResourceHeaderError) {
                _ = try ResourceHeader(decoding: bytes)
                return nil
            } catch {
                return error
            }
        }
        #expect(decode { _ in } == nil)
        for size in 0..<32 { #expect(decode { $0 = Array($0.prefix(size)) } == .truncated) }
        #expect(decode { $0[4] = 0 } == .unknownFormat(0))
        #expect(decode { $0[4] = 3 } == .unknownFormat(3))
        #expect(decode { $0[5] = 2 } == .unknownCompression(2))
        #expect(decode { $0[6] = 1 } == .reservedNotZero)
        #expect(decode { $0[7] = 1 } == .reservedNotZero)
        #expect(decode { $0.replaceSubrange(0..<4, with: [0, 0, 0, 0]) } == .zeroField)
        #expect(decode { $0.replaceSubrange(8..<10, with: [0, 0]) } == .zeroField)
        #expect(decode { $0.replaceSubrange(10..<12, with: [0, 0]) } == .zeroField)
        #expect(decode { $0[15] = 1 } == .wrongRawLength(1_536_001))
        #expect(decode { $0[5] = 0 } == .wrongDataLength)
    }

    @Test func largestSizeDoesNotFitTheLength() {
        let giant = ResourceHeader(id: 1, format: .bgra8, compression: .zstd, width: .max, height: .max, contentHash: [])
        #expect(throws: ResourceHeaderError.self) { try ResourceHeader(decoding: giant.encoded) }
        #expect(giant.contentHash.count == 16)
    }
}

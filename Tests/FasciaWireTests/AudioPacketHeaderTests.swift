import FasciaWire
import Testing

struct AudioPacketHeaderTests {
    static let bytes: [UInt8] = [0, 0, 0, 7, 0xFF, 0xFF, 0xFF, 0xFE, 1, 2, 3, 4, 5, 6, 7, 8]

    @Test func golden() {
        let header = AudioPacketHeader(stream: 7, sequence: 0xFFFF_FFFE, time: 0x0102_0304_0506_0708)
        #expect(header.encoded == Self.bytes)
        #expect(AudioPacketHeader(decoding: Self.bytes) == header)
        #expect(AudioPacketHeader(decoding: Self.bytes + [9, 9]) == header)
        #expect(AudioPacketHeader(decoding: ([5] + Self.bytes).dropFirst()) == header)
    }

    @Test func shorterThanAHeader() {
        for count in 0..<AudioPacketHeader.size { #expect(AudioPacketHeader(decoding: Self.bytes.prefix(count)) == nil) }
    }
}

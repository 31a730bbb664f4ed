import Testing

@testable import FasciaFraming

struct FrameHeaderTests {
    @Test func goldenBytes() {
        let header = FrameHeader(length: 0x010203, type: .message, flags: .whole, channel: 0x1011)
        #expect(header.bytes == [0x01, 0x02, 0x03, 0x01, 0x03, 0x00, 0x10, 0x11])
        #expect(header.length == 0x010203)
        #expect(header.type == .message)
        #expect(header.flags == .whole)
        #expect(header.reserved == 0)
        #expect(header.channel == 0x1011)
    }

    @Test func loadIsTheInverseOfBytes() {
        for raw: UInt64 in [0, 1, .max, 0x0123_4567_89AB_CDEF, 0x4000_0101_0300_0010] {
            let header = FrameHeader(rawValue: raw)
            #expect(header.bytes.withUnsafeBytes { FrameHeader.load($0, at: 0) } == header)
        }
    }

    struct Case: Sendable {
        let name: String
        let bytes: [UInt8]
        let rule: FramingError.Rule?
    }

    static let cases: [Case] = [
        Case(name: "whole message", bytes: [0, 0, 2, 1, 3, 0, 0, 0], rule: nil),
        Case(name: "continuation of one byte", bytes: [0, 0, 1, 1, 0, 0, 0, 16], rule: nil),
        Case(name: "longest payload", bytes: [0, 0x40, 0, 1, 1, 0, 0, 16], rule: nil),
        Case(name: "one byte too long", bytes: [0, 0x40, 1, 1, 1, 0, 0, 16], rule: .frameTooLarge),
        Case(name: "unknown type too long", bytes: [0xFF, 0xFF, 0xFF, 0x77, 0, 0, 0, 0], rule: .frameTooLarge),
        Case(name: "reserved goes before too long", bytes: [0xFF, 0xFF, 0xFF, 1, 3, 1, 0, 0], rule: .reservedNotZero),
        Case(name: "reserved byte", bytes: [0, 0, 2, 1, 3, 1, 0, 0], rule: .reservedNotZero),
        Case(name: "reserved byte of an unknown type", bytes: [0, 0, 2, 0x1A, 3, 0x80, 0, 0], rule: .reservedNotZero),
        Case(name: "message flag", bytes: [0, 0, 2, 1, 7, 0, 0, 0], rule: .unknownFlags),
        Case(name: "first fragment of one byte", bytes: [0, 0, 1, 1, 1, 0, 0, 0], rule: .fragmentTooShort),
        Case(name: "whole message without type", bytes: [0, 0, 0, 1, 3, 0, 0, 0], rule: .fragmentTooShort),
        Case(name: "empty last fragment", bytes: [0, 0, 0, 1, 2, 0, 0, 0], rule: .fragmentTooShort),
        Case(name: "credit", bytes: [0, 0, 4, 2, 0, 0, 0, 16], rule: nil),
        Case(name: "credit flags", bytes: [0, 0, 4, 2, 1, 0, 0, 16], rule: .unknownFlags),
        Case(name: "credit of 3 bytes", bytes: [0, 0, 3, 2, 0, 0, 0, 16], rule: .wrongLength),
        Case(name: "credit of 5 bytes", bytes: [0, 0, 5, 2, 0, 0, 0, 16], rule: .wrongLength),
        Case(name: "probe", bytes: [0, 0, 8, 3, 0, 0, 0, 0], rule: nil),
        Case(name: "probe answer", bytes: [0, 0, 8, 3, 1, 0, 0, 0], rule: nil),
        Case(name: "probe flags", bytes: [0, 0, 8, 3, 2, 0, 0, 0], rule: .unknownFlags),
        Case(name: "probe of 7 bytes", bytes: [0, 0, 7, 3, 0, 0, 0, 0], rule: .wrongLength),
        Case(name: "probe on channel 1", bytes: [0, 0, 8, 3, 0, 0, 0, 1], rule: .wrongChannel),
        Case(name: "close", bytes: [0, 0, 4, 4, 0, 0, 0, 0], rule: nil),
        Case(name: "close with longest detail", bytes: [0, 1, 4, 4, 0, 0, 0, 0], rule: nil),
        Case(name: "close detail too long", bytes: [0, 1, 5, 4, 0, 0, 0, 0], rule: .wrongLength),
        Case(name: "close of 3 bytes", bytes: [0, 0, 3, 4, 0, 0, 0, 0], rule: .wrongLength),
        Case(name: "close flags", bytes: [0, 0, 4, 4, 1, 0, 0, 0], rule: .unknownFlags),
        Case(name: "close on channel 16", bytes: [0, 0, 4, 4, 0, 0, 0, 16], rule: .wrongChannel),
        Case(name: "unknown type, any flags, any channel", bytes: [0, 0, 0, 0xFA, 0xFF, 0, 0xFF, 0xFF], rule: nil),
        Case(name: "type 0", bytes: [0, 0, 0, 0, 0, 0, 0, 0], rule: nil),
    ]

    @Test(arguments: cases)
    func headerRules(_ example: Case) {
        let header = example.bytes.withUnsafeBytes { FrameHeader.load($0, at: 0) }
        #expect(header.violation(maxPayload: FramingLimits.defaultMaxPayload) == example.rule, "\(example.name)")
    }

    @Test func greaseTypesAreUnknown() {
        for type in UInt8.min...UInt8.max {
            #expect(FrameType(rawValue: type).isGrease == (type % 16 == 10))
            if type % 16 == 10 { #expect(!FrameType(rawValue: type).isKnown) }
        }
    }
}

import FasciaAppSound
import Testing

struct SoundDatagramTests {
    private static let header = SoundPacketHeader(stream: 0x0102_0304, sequence: 0xA0B0_C0D0, time: 0x1122_3344_5566_7788)

    static let fromApp: [SoundFromApp] = [
        .session(.with { $0.request = 3; $0.active = true; $0.category = "AVAudioSessionCategoryPlayback"; $0.options = 1 }),
        .start(.with { $0.stream = 1; $0.format = .with { $0.sampleRate = 44_100; $0.channels = 2 }; $0.gainDb = -3; $0.role = .ui }),
        .packet(SoundPacket(header, samples: [1, 2, 3, 4])), .stop(.with { $0.stream = 1; $0.drain = true }), .gain(.with { $0.stream = 1; $0.gainDb = -6 }),
        .micStart(.with { $0.stream = 2 }), .micStop(.with { $0.stream = 2 }),
    ]
    static let toApp: [SoundToApp] = [
        .sessionReply(.with { $0.request = 3; $0.error = 560_557_684 }), .interruption(.with { $0.began = true; $0.reason = 1 }), .routeChange(.with { $0.outputPort = "CarAudio" }),
        .state(.with { $0.stream = 1; $0.refusal = "format" }), .hint(.with { $0.begin = true }), .micState(.with { $0.on = true }),
        .micPacket(SoundPacket(header, samples: [9, 9])),
    ]

    /// [SD-4]
    @Test func everyKindComesBackAndIsUnknownToTheOtherDirection() throws {
        for datagram in Self.fromApp {
            #expect(try SoundFromApp.decode(datagram.encoded()) == datagram)
            #expect(try SoundToApp.decode(datagram.encoded()) == nil)
        }
        for datagram in Self.toApp {
            #expect(try SoundToApp.decode(datagram.encoded()) == datagram)
            #expect(try SoundFromApp.decode(datagram.encoded()) == nil)
        }
        #expect(Set(Self.fromApp.map(\.kind)).union(Self.toApp.map(\.kind)) == Set(SoundKind.allCases))
    }

    @Test func aPacketIsKindHeaderSound() throws {
        #expect(try SoundFromApp.packet(SoundPacket(Self.header, samples: [5, 6])).encoded()
            == [3, 1, 2, 3, 4, 0xA0, 0xB0, 0xC0, 0xD0, 0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, 5, 6])
    }

    @Test(arguments: [
        ([], .empty), ([3], .shortPacket), ([UInt8](repeating: 3, count: 17), .shortPacket), ([UInt8](repeating: 3, count: 18 + 8_174), .tooLarge),
        ([UInt8](repeating: 200, count: 16_385), .tooLarge), ([1, 0xFF], .malformed), ([1, 0x1A, 2, 0xC3, 0x28], .malformed),
    ] as [([UInt8], SoundDatagramError.Code)])
    func badBytesAreNamed(_ bytes: [UInt8], _ code: SoundDatagramError.Code) {
        do {
            let datagram = try SoundFromApp.decode(bytes)
            Issue.record("\(String(describing: datagram))")
        } catch { #expect(error.code == code) }
    }

    @Test func whatTheOtherEndWouldNotTakeIsNotEncoded() {
        #expect(throws: SoundDatagramError.self) { try SoundFromApp.packet(SoundPacket(Self.header, samples: [])).encoded() }
        #expect(throws: SoundDatagramError.self) { try SoundFromApp.packet(SoundPacket(Self.header, samples: [UInt8](repeating: 0, count: 8_175))).encoded() }
        #expect(throws: SoundDatagramError.self) {
            try SoundToApp.sessionReply(.with { $0.detail = String(repeating: "x", count: 20_000) }).encoded()
        }
    }
}

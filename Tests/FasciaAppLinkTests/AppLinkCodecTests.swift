import FasciaAppLink
import Testing

struct AppLinkCodecTests {
    private let hello = AppFromApp.with { $0.hello = .with { $0.version = 1; $0.bundleIdentifier = "org.example" } }
    private let big = AppFromApp.with { $0.image = .with { $0.id = 1; $0.encoded = .init(repeating: 7, count: 50_000) } }

    private func decode(_ bytes: [UInt8], chunk: Int, maximum: Int = AppLinkLimits.messageFromApp) throws -> [AppLinkDecoder.Message] {
        var decoder = AppLinkDecoder(maximumMessage: maximum)
        var messages: [AppLinkDecoder.Message] = []
        for start in stride(from: 0, to: bytes.count, by: chunk) {
            decoder.receive(bytes[start ..< min(bytes.count, start + chunk)])
            while let message = try decoder.nextMessage() { messages.append(message) }
        }
        #expect(decoder.isAtBoundary)
        return messages
    }

    /// The bytes of a small message, as in the specification's frame layout.
    @Test func goldenFrame() throws {
        let bytes = try AppLinkEncoder.encode(AppToApp.with { $0.sceneActivation = .with { $0.foreground = true } })
        #expect(bytes == [0, 0, 6, 1, 3, 0, 0, 0, /* type */ 0, 2, /* body */ 0x6a, 2, 8, 1])
    }

    @Test(arguments: [1, 7, 8, 1_000, 16_384, 1 << 20])
    func roundTripAtAnyChunking(_ chunk: Int) throws {
        let bytes = try AppLinkEncoder.encode(hello) + AppLinkEncoder.encode(big) + AppLinkEncoder.encode(hello)
        let messages = try decode(bytes, chunk: chunk)
        #expect(messages.map(\.type) == [1, 1, 1])
        #expect(try AppFromApp(serializedBytes: messages[1].body) == big)
    }

    @Test func everyCutIsIncompleteNotWrong() throws {
        let bytes = try AppLinkEncoder.encode(hello)
        for length in 0 ..< bytes.count {
            var decoder = AppLinkDecoder(maximumMessage: 1_000)
            decoder.receive(bytes[..<length])
            #expect(try decoder.nextMessage() == nil)
            #expect(decoder.isAtBoundary == (length == 0))
        }
    }

    @Test(arguments: [
        [0x00, 0x40, 0x01, 1, 3, 0, 0, 0],  // longer than a frame may be
        [0, 0, 0, 1, 3, 1, 0, 0],  // reserved byte
        [0, 0, 2, 1, 3, 0, 0, 1, 0, 1],  // channel 1
        [0, 0, 2, 1, 7, 0, 0, 0, 0, 1],  // unknown flag
        [0, 0, 2, 1, 2, 0, 0, 0, 0, 1],  // continuation without a first
        [0, 0, 2, 1, 1, 0, 0, 0, 0, 1, 0, 0, 2, 1, 1, 0, 0, 0, 0, 1],  // first inside a message
        [0, 0, 1, 1, 3, 0, 0, 0, 0],  // no room for a type
    ] as [[UInt8]])
    func brokenFrames(_ bytes: [UInt8]) {
        var decoder = AppLinkDecoder(maximumMessage: 1_000)
        decoder.receive(bytes)
        #expect(throws: AppLinkError.self) { while try decoder.nextMessage() != nil {} }
        decoder.receive([0, 0, 2, 1, 3, 0, 0, 0, 0, 1])
        #expect(throws: AppLinkError.self, "it stays failed") { try decoder.nextMessage() }
    }

    @Test func unknownFrameTypesAreSkipped() throws {
        let bytes: [UInt8] = [0, 0, 3, 0x2a, 0xff, 0, 9, 9, 1, 2, 3]
        #expect(try decode(bytes + AppLinkEncoder.encode(hello), chunk: 5).count == 1)
    }

    @Test func messagesHaveALimitBothWays() throws {
        let bytes = try AppLinkEncoder.encode(big)
        #expect(throws: AppLinkError.self) { try decode(bytes, chunk: 4_096, maximum: 40_000) }
        let huge = AppToApp.with { $0.terminate = .with { $0.reason = String(repeating: "x", count: AppLinkLimits.messageToApp) } }
        #expect(throws: AppLinkError.self) { try AppLinkEncoder.encode(huge) }
    }

    /// Whatever bytes come, decoding ends and says the same at every chunking.
    @Test func randomBytesGiveTheSameAtAnyChunking() {
        var state: UInt64 = 42
        func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state >> 33
        }
        for _ in 0 ..< 500 {
            var bytes: [UInt8] = []
            for _ in 0 ..< next() % 6 {
                let length = Int(next() % 5)
                bytes += [0, 0, UInt8(length), next() % 3 == 0 ? 9 : 1, UInt8(next() % 5), next() % 20 == 0 ? 1 : 0, 0, 0]
                bytes += (0 ..< length).map { _ in UInt8(truncatingIfNeeded: next()) }
            }
            func outcome(_ chunk: Int) -> String {
                var decoder = AppLinkDecoder(maximumMessage: 100)
                var text = ""
                for start in stride(from: 0, to: bytes.count, by: chunk) {
                    decoder.receive(bytes[start ..< min(bytes.count, start + chunk)])
                    do { while let message = try decoder.nextMessage() { text += "\(message)" } } catch { return text + "\(error)" }
                }
                return text
            }
            #expect(outcome(1) == outcome(1_000))
            #expect(outcome(3) == outcome(1_000))
        }
    }
}

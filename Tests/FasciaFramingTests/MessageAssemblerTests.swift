import Testing

@testable import FasciaFraming

struct MessageAssemblerTests {
    enum Outcome: Equatable {
        case partial
        case message(UInt16, [UInt8])
        case error(FramingError.Rule)
    }

    func feed(_ assembler: inout MessageAssembler, _ flags: FrameFlags, _ payload: [UInt8]) -> Outcome {
        let header = FrameHeader(length: payload.count, type: .message, flags: flags, channel: 16)
        let progress = payload.withUnsafeBytes { bytes in
            Result { () throws(FramingError) in try assembler.accept(header, bytes) }
        }
        switch progress {
        case .success(.partial): return .partial
        case .success(.whole(let type)): return .message(type, Array(payload[2...]))
        case .success(.assembled(let type)): return .message(type, assembler.take())
        case .failure(let error): return .error(error.rule)
        }
    }

    @Test func idleTakesFirstAndWhole() {
        var assembler = MessageAssembler(maxMessage: 64)
        #expect(feed(&assembler, .whole, [0x10, 0x01]) == .message(0x1001, []))
        #expect(feed(&assembler, .whole, [0x10, 0x01, 9]) == .message(0x1001, [9]))
        #expect(feed(&assembler, [], [1]) == .error(.unexpectedContinuation))
        #expect(feed(&assembler, .last, [1]) == .error(.unexpectedContinuation))
        #expect(feed(&assembler, .first, [0x10, 0x02, 1]) == .partial)
    }

    @Test func assemblingTakesContinuationsOnly() {
        var assembler = MessageAssembler(maxMessage: 64)
        #expect(feed(&assembler, .first, [0x10, 0x02, 1]) == .partial)
        #expect(assembler.isAssembling)
        #expect(feed(&assembler, .first, [0x10, 0x02]) == .error(.unexpectedFirst))
        #expect(feed(&assembler, .whole, [0x10, 0x02]) == .error(.unexpectedFirst))
        #expect(feed(&assembler, [], [2, 3]) == .partial)
        #expect(feed(&assembler, .last, [4]) == .message(0x1002, [1, 2, 3, 4]))
        #expect(!assembler.isAssembling)
        #expect(feed(&assembler, .first, [0, 7]) == .partial)
        #expect(feed(&assembler, .last, [5]) == .message(7, [5]))
    }

    @Test func messagesAreLimitedWithTheirType() {
        var assembler = MessageAssembler(maxMessage: 4)
        #expect(feed(&assembler, .whole, [0, 1, 2, 3]) == .message(1, [2, 3]))
        #expect(feed(&assembler, .whole, [0, 1, 2, 3, 4]) == .error(.messageTooLarge))
        #expect(feed(&assembler, .first, [0, 1, 2]) == .partial)
        #expect(feed(&assembler, [], [3]) == .partial)
        #expect(feed(&assembler, .last, [4]) == .error(.messageTooLarge))
    }

    @Test func recycledMemoryIsUsedAgain() {
        var assembler = MessageAssembler(maxMessage: 4096)
        #expect(feed(&assembler, .first, [0, 1] + [UInt8](repeating: 1, count: 1000)) == .partial)
        let body = assembler.take()
        let address = body.withUnsafeBytes { $0.baseAddress }
        assembler.recycle(body)
        #expect(feed(&assembler, .first, [0, 1, 2]) == .partial)
        #expect(assembler.assembled == [2])
        #expect(address != nil)
    }
}

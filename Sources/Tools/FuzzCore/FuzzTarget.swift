/// One parser under fuzz. Targets live in libraries so that libFuzzer, the tool's own fuzzer and the ordinary tests (which replay
/// the corpus) run the same checks.
public struct FuzzTarget: Sendable, CustomStringConvertible {
    /// Also the folder of its corpus, `Fixtures/fuzz/<name>`.
    public let name: String
    /// What holds for every input.
    public let summary: String
    /// Longest input worth trying, in bytes.
    public let maximumLength: Int
    private let body: @Sendable ([UInt8]) -> String?

    public init(_ name: String, _ summary: String, maximumLength: Int = 4_096, _ body: @escaping @Sendable ([UInt8]) -> String?) {
        self.name = name
        self.summary = summary
        self.maximumLength = maximumLength
        self.body = body
    }

    /// - Returns: what went wrong, or nil. Memory errors and traps end the process.
    public func check(_ input: [UInt8]) -> String? { body(input) }

    public var description: String { name }
}

extension FuzzTarget {
    /// Targets that need nothing but framing, link and messages: their sanitizer build is small.
    public static let core: [FuzzTarget] = [
        FuzzTarget("frame", "any chunking of a byte stream gives the same frames and the same error; frames are the bytes they came from", checkFrames),
        FuzzTarget("reassembly", "fragments make the messages that a model of the rules makes, credit never goes below nothing", checkReassembly),
        FuzzTarget("link", "two link machines that get the same bytes, cut differently, do the same; what they send is well formed", maximumLength: 1_024, checkLink),
        FuzzTarget("conversation", "two link machines understand each other, whatever is sent and however bytes travel", maximumLength: 1_024, checkConversation),
        FuzzTarget("control", "Hello, Welcome and their answers: what decodes encodes to something that decodes to the same") { checkMessages($0, .control) },
        FuzzTarget("pairing-messages", "the same for Pair messages") { checkMessages($0, .pairing) },
        FuzzTarget("input", "the same for input messages") { checkMessages($0, .input) },
        FuzzTarget("vehicle", "the same for vehicle messages") { checkMessages($0, .vehicle) },
        FuzzTarget("display", "the same for display messages") { checkMessages($0, .display) },
        FuzzTarget("semantics", "the same for semantics messages") { checkMessages($0, .semantics) },
        FuzzTarget("audio", "messages of sound are decoded into range or refused; a packet that decodes encodes to the same bytes", maximumLength: 1_024, checkSound),
        FuzzTarget("ownership", "messages of ownership: what decodes encodes to something that decodes to the same") { checkMessages($0, .ownership) },
        FuzzTarget("resource-header", "a resource header that decodes encodes to the same bytes", checkResourceHeader),
    ]
}

/// Takes numbers off the front of the input.
public struct FuzzInput {
    private var bytes: ArraySlice<UInt8>

    public init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

    public var isEmpty: Bool { bytes.isEmpty }
    /// Everything that is left.
    public var rest: [UInt8] { Array(bytes) }

    /// 0 at the end of the input.
    public mutating func byte() -> UInt8 { bytes.popFirst() ?? 0 }
    public mutating func word() -> UInt16 { UInt16(byte()) << 8 | UInt16(byte()) }

    /// At most `count` bytes.
    public mutating func take(_ count: Int) -> [UInt8] {
        let taken = bytes.prefix(count)
        bytes = bytes.dropFirst(count)
        return Array(taken)
    }
}

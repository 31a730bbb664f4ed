/// What the fuzzers check. The bodies live in a library so that the ordinary tests replay the corpus as well.
public enum FuzzBody: String, CaseIterable, Sendable {
    /// Any chunking of a byte stream gives the same frames and the same error.
    case framing
    /// Two link machines that get the same bytes, cut differently, do the same; what they send is well formed.
    case link
    /// A resource header that decodes encodes to the same bytes.
    case resource

    /// - Returns: what went wrong, or nil. Memory errors and traps end the process.
    public func check(_ input: [UInt8]) -> String? {
        switch self {
        case .framing: checkFraming(input)
        case .link: checkLink(input)
        case .resource: checkResource(input)
        }
    }

    /// The entry of a fuzzer: a finding ends the process.
    public func run(_ bytes: UnsafePointer<UInt8>?, _ count: Int) {
        let input = unsafe Array(UnsafeBufferPointer(start: bytes, count: bytes == nil ? 0 : count))
        if let finding = check(input) { fatalError("\(rawValue): \(finding)") }
    }
}

/// Takes numbers off the front of the input.
struct FuzzInput {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { self.bytes = bytes[...] }

    var isEmpty: Bool { bytes.isEmpty }
    /// Everything that is left.
    var rest: [UInt8] { Array(bytes) }

    mutating func byte() -> UInt8 { bytes.popFirst() ?? 0 }
    mutating func word() -> UInt16 { UInt16(byte()) << 8 | UInt16(byte()) }

    mutating func take(_ count: Int) -> [UInt8] {
        let taken = bytes.prefix(count)
        bytes = bytes.dropFirst(count)
        return Array(taken)
    }
}

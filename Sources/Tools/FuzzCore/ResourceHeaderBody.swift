import FasciaWire

/// Input: the body of a Resource message.
@Sendable func checkResourceHeader(_ input: [UInt8]) -> String? {
    guard let header = try? ResourceHeader(decoding: input) else { return nil }
    if header.encoded != Array(input.prefix(ResourceHeader.size)) { return "does not encode to the same bytes" }
    if header.id == 0 || header.rawLength == 0 { return "a zero came through" }
    if header.compression == .none && input.count != ResourceHeader.size + header.rawLength { return "data of the wrong length came through" }
    return nil
}

import FasciaAppHost

// Swift's Runtime module takes backtraces of another process only in the compact formats it stores them in. Both as documented in
// docs/CompactBacktraceFormat.md and docs/CompactImageMapFormat.md of the Swift repository, version 0, 64-bit words; the image map's
// platform name is a counted string in front of the image count. Nothing is compressed here.

private let information: UInt8 = 0b10 // version 0, 64-bit

private func bigEndian(_ value: UInt64) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: value >> UInt64(56 - 8 * $0)) } }

/// 7 bits a byte, most significant first, top bit clear in the last.
private func count(_ value: Int) -> [UInt8] {
    var bytes = [UInt8(value & 0x7f)]
    var rest = value >> 7
    while rest > 0 {
        bytes.insert(UInt8(rest & 0x7f) | 0x80, at: 0)
        rest >>= 7
    }
    return bytes
}

/// ```
///   7   6   5   4   3   2   1   0
///  | r=0 | 0 | acount = 7 | ecount = 7 |   then 8 bytes base, 8 bytes length, build id (none), path
/// ```
func compactImageMap(_ images: [LoadedImage]) -> [UInt8] {
    let platform = Array("Linux".utf8)
    var bytes = [information] + count(platform.count) + platform + count(images.count)
    for image in images {
        bytes.append(0b00_111_111)
        bytes += bigEndian(image.base) + bigEndian(image.end - image.base) + count(0)
        var path = Array(image.path.utf8)[...]
        while !path.isEmpty { // raw strings of up to 63 bytes
            let piece = path.prefix(63)
            bytes += [UInt8(piece.count)] + piece
            path = path.dropFirst(piece.count)
        }
        bytes.append(0)
    }
    return bytes
}

/// ```
///   7   6   5   4   3   2   1   0
///  | 1 pc, 2 ra      | a=1 | count=7 |   then 8 bytes address
/// ```
func compactBacktrace(_ frames: [(address: UInt64, isReturn: Bool)]) -> [UInt8] {
    [information] + frames.flatMap { [$0.isReturn ? 0x2f : 0x1f] + bigEndian($0.address) } + [0]
}

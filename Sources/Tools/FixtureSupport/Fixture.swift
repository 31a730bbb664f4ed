import Foundation

/// One entry of `Fixtures/manifest.json`; the keys are explained in `Fixtures/README.md`.
public struct Fixture: Sendable, CustomStringConvertible {
    public let name: String
    public let kind: String
    public let meaning: String
    /// Contents of the hex file; empty when there is none.
    public let bytes: [UInt8]
    /// The whole entry.
    public let entry: JSON

    public var expect: JSON { entry["expect"] ?? .null }
    public var description: String { name }

    /// Number of the close code of an expected error.
    public var errorNumber: UInt32? { expect["error"]?["number"]?.int.map { UInt32($0) } }

    /// How many bytes, fed one at a time, must and may be in before the error shows.
    public var errorWithin: ClosedRange<Int>? {
        guard let range = expect["error"]?["within"]?.array?.compactMap(\.int), range.count == 2 else { return nil }
        return range[0]...range[1]
    }
}

extension Fixture {
    public struct Unreadable: Error, CustomStringConvertible {
        public let file: String
        public let reason: String
        public var description: String { "\(file): \(reason)" }
    }

    /// All fixtures of a kind. Traps with the reason when the repository's fixtures cannot be read: tests cannot run without.
    public static func all(_ kind: String) -> [Fixture] {
        do { return try load().filter { $0.kind == kind } } catch { preconditionFailure("\(error)") }
    }

    /// Everything in the manifest.
    public static func load() throws -> [Fixture] {
        try load(from: URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Fixtures").standardized)
    }

    /// Everything in the manifest of that folder.
    public static func load(from folder: URL) throws -> [Fixture] {
        let manifest = try JSONDecoder().decode(JSON.self, from: Data(contentsOf: folder.appending(path: "manifest.json")))
        return try (manifest["fixtures"]?.array ?? []).map { entry in
            var bytes: [UInt8] = []
            if let file = entry["file"]?.string {
                guard let parsed = parse(hexFile: try String(contentsOf: folder.appending(path: file), encoding: .utf8)) else {
                    throw Unreadable(file: file, reason: "not a hex file")
                }
                guard parsed.count == entry["bytes"]?.int else { throw Unreadable(file: file, reason: "has \(parsed.count) bytes") }
                bytes = parsed
            }
            return Fixture(
                name: entry["name"]?.string ?? "", kind: entry["kind"]?.string ?? "", meaning: entry["meaning"]?.string ?? "", bytes: bytes,
                entry: entry)
        }
    }

    /// Pairs of digits, `N * XX` lines, `#` comments.
    static func parse(hexFile text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        for line in text.split(separator: "\n") {
            let code = line.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)[0]
            let factors = code.split(separator: "*", omittingEmptySubsequences: false)
            if factors.count == 2 {
                guard let count = Int(factors[0].filter { $0 != " " }), let value = Self.bytes(hex: String(factors[1])), value.count == 1 else { return nil }
                bytes.append(contentsOf: repeatElement(value[0], count: count))
            } else {
                guard let pairs = Self.bytes(hex: String(code)) else { return nil }
                bytes += pairs
            }
        }
        return bytes
    }

    static func bytes(hex: String) -> [UInt8]? {
        let digits = hex.utf8.filter { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\r") }
        if digits.count % 2 != 0 { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = Self.value(digits[index]), let low = Self.value(digits[index + 1]) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension Array where Element == UInt8 {
    /// The bytes in pieces of `size`, the last one shorter.
    public func chunks(of size: Int) -> [ArraySlice<UInt8>] {
        stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
    }
}

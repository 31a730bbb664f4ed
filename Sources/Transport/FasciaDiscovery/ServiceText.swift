/// The TXT record of a service: short keys and values.
///
/// What comes from the network is bounded and repaired before it gets here: at most `maximumEntries` entries, keys of
/// printable ASCII, values as UTF-8 in which what is invalid has become U+FFFD. Keys are compared without regard to
/// case and the first of equal keys wins (RFC 6763, 6.4).
public struct ServiceText: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    /// Protocol versions, comma separated.
    public static let versionKey = "v"
    /// First 16 hex digits of the public key fingerprint.
    public static let idKey = "id"
    /// The whole name.
    public static let nameKey = "name"
    /// "1" when a new phone is accepted now.
    public static let pairKey = "pair"

    /// Entries kept of a record; later ones are dropped.
    public static let maximumEntries = 32
    /// One entry, `key=value`, in bytes (RFC 6763, 6.1).
    public static let maximumEntryBytes = 255

    public private(set) var values: [String: String] = [:]

    public init() {}

    public init(dictionaryLiteral elements: (String, String)...) {
        for (key, value) in elements { self[key] = value }
    }

    public subscript(key: String) -> String? {
        get { values[key.lowercased()] }
        set { values[key.lowercased()] = newValue }
    }

    /// Reads the entries of a record, each the bytes between two length octets.
    public init(entries: some Sequence<[UInt8]>) {
        for entry in entries {
            guard values.count < Self.maximumEntries else { return }
            let separator = entry.firstIndex(of: UInt8(ascii: "=")) ?? entry.endIndex
            let keyBytes = entry[..<separator]
            guard !keyBytes.isEmpty, entry.count <= Self.maximumEntryBytes, keyBytes.allSatisfy({ (0x20...0x7E).contains($0) }) else { continue }
            let key = String(decoding: keyBytes, as: UTF8.self).lowercased()
            guard values[key] == nil else { continue }
            values[key] = separator == entry.endIndex ? "" : String(decoding: entry[(separator + 1)...], as: UTF8.self)
        }
    }

    /// The entries to announce, in alphabetical order; a value too long for its entry is cut between characters.
    public var entries: [[UInt8]] {
        values.sorted { $0.key < $1.key }.map { key, value in
            let head = Array((key + "=").utf8.prefix(Self.maximumEntryBytes))
            return head + value.prefix(bytes: Self.maximumEntryBytes - head.count).utf8
        }
    }
}

extension String {
    /// The longest beginning made of whole characters that has at most `limit` bytes of UTF-8.
    func prefix(bytes limit: Int) -> Substring {
        guard utf8.count > limit else { return self[...] }
        var end = startIndex
        var size = 0
        for index in indices {
            size += self[index].utf8.count
            if size > limit { break }
            end = self.index(after: index)
        }
        return self[..<end]
    }
}

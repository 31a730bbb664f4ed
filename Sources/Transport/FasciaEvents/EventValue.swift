/// A value of one field of an event: what JSON can say, with integers kept exact.
public enum EventValue: Sendable, Equatable {
    case string(String)
    case integer(Int64)
    /// Not-a-number and the infinities are written as `null`.
    case number(Double)
    case bool(Bool)
    case array([EventValue])
    case object([String: EventValue])
    case null

    /// Nanoseconds, sizes and counts; values above `Int64.max` are clamped to it.
    public static func unsigned(_ value: some UnsignedInteger) -> EventValue { .integer(Int64(clamping: value)) }

    /// Keys, hashes and session ids: two lower-case hexadecimal digits a byte.
    public static func hex(_ bytes: some Sequence<UInt8>) -> EventValue {
        .string(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
    }

    /// The value if it is of that kind, else nil; so with the next ones.
    public var string: String? { if case .string(let value) = self { value } else { nil } }
    public var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    public var array: [EventValue]? { if case .array(let value) = self { value } else { nil } }
    public var object: [String: EventValue]? { if case .object(let value) = self { value } else { nil } }
    /// Any number as floating point.
    public var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        default: nil
        }
    }
}

extension EventValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral {
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(floatLiteral value: Double) { self = .number(value) }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(arrayLiteral elements: EventValue...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, EventValue)...) { self = .object(Dictionary(elements) { _, last in last }) }
    public init(nilLiteral: ()) { self = .null }
}

extension EventValue: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() { self = .null; return }
        if let value = try? container.decode(Bool.self) { self = .bool(value); return }
        if let value = try? container.decode(Int64.self) { self = .integer(value); return }
        if let value = try? container.decode(Double.self) { self = .number(value); return }
        if let value = try? container.decode(String.self) { self = .string(value); return }
        if let value = try? container.decode([EventValue].self) { self = .array(value); return }
        self = .object(try container.decode([String: EventValue].self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .string(let value): try container.encode(value)
        case .integer(let value): try container.encode(value)
        case .number(let value): if value.isFinite { try container.encode(value) } else { try container.encodeNil() }
        case .bool(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        case .null: try container.encodeNil()
        }
    }
}

extension EventValue: CustomStringConvertible {
    /// For the human line: strings bare unless they hold spaces, the rest as JSON would write it.
    public var description: String {
        switch self {
        case .string(let value): value.isEmpty || value.contains(where: \.isWhitespace) ? "\"\(value)\"" : value
        case .integer(let value): String(value)
        case .number(let value): String(value)
        case .bool(let value): String(value)
        case .array(let value): "[" + value.map(\.description).joined(separator: ", ") + "]"
        case .object(let value):
            "{" + value.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ") + "}"
        case .null: "null"
        }
    }
}

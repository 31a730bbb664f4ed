/// A connection, from the attempt to make it to its end. Machines number them upwards from 1 and never use a number again.
public struct LinkID: RawRepresentable, Hashable, Comparable, Sendable, ExpressibleByIntegerLiteral, CustomStringConvertible {
    public let rawValue: UInt64

    public init(rawValue: UInt64) { self.rawValue = rawValue }
    public init(integerLiteral value: UInt64) { rawValue = value }

    public static func < (one: LinkID, other: LinkID) -> Bool { one.rawValue < other.rawValue }
    public var description: String { "link \(rawValue)" }

    mutating func advance() -> LinkID {
        self = LinkID(rawValue: rawValue &+ 1)
        return self
    }
}

/// Why a command cannot go on, in words that say what to do.
public struct ToolError: Error, Sendable, CustomStringConvertible {
    public let description: String
    public init(_ description: String) { self.description = description }
}

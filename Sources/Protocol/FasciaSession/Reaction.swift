/// A machine's answer to an input.
public enum Reaction<Action: Equatable & Sendable>: Equatable, Sendable, ExpressibleByArrayLiteral {
    /// The input has no meaning in this state; nothing changed.
    case ignored
    /// To be done, in this order; may be empty.
    case perform([Action])

    public init(arrayLiteral elements: Action...) { self = .perform(elements) }

    /// What is to be done, nothing when the input was ignored.
    public var actions: [Action] {
        switch self {
        case .ignored: []
        case .perform(let actions): actions
        }
    }
}

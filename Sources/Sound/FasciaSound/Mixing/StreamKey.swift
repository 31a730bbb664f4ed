/// A stream of the phone's: its route's channel and its number there.
public struct StreamKey: Hashable, Sendable {
    public var route: AudioRoute
    public var number: UInt32

    public init(_ route: AudioRoute, _ number: UInt32) {
        self.route = route
        self.number = number
    }
}

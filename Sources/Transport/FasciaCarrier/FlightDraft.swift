import FasciaLink

/// A first flight that may be made ready before it is needed, and may have to be made anew. Called on an event loop.
public struct FlightDraft: Sendable {
    let make: @Sendable () -> FirstFlight
    let take: @Sendable () -> Bool

    /// - Parameters:
    ///   - make: what the flight would be now. It is not spent with that.
    ///   - take: spends the flight as it was made last; false when it would be another one now.
    public init(make: @escaping @Sendable () -> FirstFlight, take: @escaping @Sendable () -> Bool) {
        self.make = make
        self.take = take
    }
}

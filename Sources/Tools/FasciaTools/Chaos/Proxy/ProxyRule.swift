/// What the proxy does to one connection.
struct ProxyRule: Equatable, CustomStringConvertible {
    enum Direction: String, CaseIterable { case up, down } // up: phone -> car

    enum Deed: Equatable {
        /// RST to both ends.
        case reset
        /// FIN to both ends, after what is on its way.
        case finish
        /// FIN to the end that would have received more; the other way goes on for a moment, then RST.
        case halfClose
        /// Nothing passes any more, either way; nobody is told.
        case blackhole
        /// Nothing passes for a while, then all of it.
        case stall(milliseconds: Int)
        /// One bit of the next byte is flipped.
        case corrupt
    }

    var direction: Direction
    /// The deed is done when exactly so many bytes have passed in that direction, counted from when the rule was set.
    var bytes: Int
    var deed: Deed

    var description: String { "\(deed) after \(bytes) bytes \(direction.rawValue)" }
}

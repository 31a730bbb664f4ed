extension JitterBuffer {
    /// What became of a packet.
    public enum Admission: Hashable, Sendable {
        case accepted
        /// Its turn was over.
        case late
        /// It is there already.
        case duplicate
        /// Not a packet of the stream's format, 2.5 to 60 ms.
        case malformed
    }

    /// Sums over the stream's life, and how it stands.
    public struct Statistics: Hashable, Sendable {
        /// Delay aimed at, from the fastest packet's arrival to its end being played; nanoseconds.
        public var target: Int64 = 0
        /// Waiting, nanoseconds.
        public var buffered: Int64 = 0
        /// The most that ever waited, nanoseconds.
        public var largestBuffered: Int64 = 0
        /// Packets taken in.
        public var packets = 0
        /// Packets' worth of sound made up.
        public var concealed = 0
        /// Packets that came too late.
        public var late = 0
        /// Packets refused.
        public var malformed = 0
        /// Times the sound ran out while the stream played.
        public var gaps = 0
        /// Times sound was left out to play sooner, and how much, nanoseconds.
        public var cuts = 0
        public var cut: Int64 = 0
        /// The sender's clock against the sink's, parts of a million; positive when the sender is faster.
        public var driftPPM = 0.0
        /// Speed of playing.
        public var speed = 1.0

        public init() {}
    }
}

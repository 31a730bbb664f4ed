/// What one direction has done with packets.
public struct DirectionStatistics: Codable, Equatable, Sendable {
    public var packets: UInt64 = 0
    public var bytes: UInt64 = 0
    public var delivered: UInt64 = 0
    public var lostAtRandom: UInt64 = 0
    /// Sent, or due to arrive, while the link was cut or a cable was out.
    public var lostInCuts: UInt64 = 0
    /// The queue in front of `rate` was full.
    public var lostToQueue: UInt64 = 0
    /// The device of the receiving host did not take it: the interface is down.
    public var refused: UInt64 = 0
    /// In flight now.
    public var waiting: Int = 0

    enum CodingKeys: String, CodingKey {
        case packets, bytes, delivered, refused, waiting
        case lostAtRandom = "lost_at_random", lostInCuts = "lost_in_cuts", lostToQueue = "lost_to_queue"
    }
}

/// Nanoseconds on `CLOCK_MONOTONIC`, as in event files; `end` is the moment the link works again, nil when nobody knows yet.
public struct Outage: Codable, Equatable, Sendable {
    public let start: UInt64
    public let end: UInt64?

    enum CodingKeys: String, CodingKey { case start = "start_ns", end = "end_ns" }
}

public struct LinkStatistics: Codable, Equatable, Sendable {
    public var towardCar = DirectionStatistics()
    public var towardPhone = DirectionStatistics()
    public var isCut = false
    /// All that ended since the lab came up.
    public var outageCount: UInt64 = 0
    /// The last that ended, oldest first, at most 4096.
    public var outages: [Outage] = []
    /// How late packets left the emulator, nanoseconds: median of nothing, only the worst one.
    public var worstLateness: UInt64 = 0

    enum CodingKeys: String, CodingKey {
        case towardCar = "toward_car", towardPhone = "toward_phone", isCut = "cut", outageCount = "outage_count", outages
        case worstLateness = "worst_lateness_ns"
    }
}

import Synchronization

/// One way of being a bad peer, tried again and again until its time is over.
struct Attack<Arena>: Sendable {
    let name: String
    let stage: AttackStage
    let what: String
    /// Threads that run it side by side.
    let workers: Int
    /// One round. What it throws is part of the game: being refused is what should happen.
    let round: @Sendable (Arena) throws -> Void

    init(_ name: String, _ stage: AttackStage, _ what: String, workers: Int = 2, round: @escaping @Sendable (Arena) throws -> Void) {
        (self.name, self.stage, self.what, self.workers, self.round) = (name, stage, what, workers, round)
    }
}

/// How far the attacker gets.
enum AttackStage: String, Sendable, Codable {
    /// Bytes on TCP.
    case network
    /// Past TLS with a key nobody knows.
    case stranger
    /// Paired once, and gone bad.
    case paired
}

/// An attack without its code.
public struct AttackSummary: Sendable, Codable {
    public let name: String
    public let stage: String
    public let what: String
}

/// What one attack came to.
public struct AttackResult: Sendable, Codable {
    public let name: String
    public let stage: String
    public let what: String
    public let seconds: Double
    public let rounds: Int
    public let connections: Int
    public let bytesSent: Int
    /// How long an honest peer waited for its answer right after, milliseconds; nil when none came in ten seconds.
    public let answeredAfterMs: Double?
    /// Resident memory of the target, bytes, where its process was watched.
    public let residentBefore: Int?
    public let residentPeak: Int?
    public let residentAfter: Int?
    public let survived: Bool

    enum CodingKeys: String, CodingKey {
        case name, stage, what, seconds, rounds, connections, survived
        case bytesSent = "bytes_sent", answeredAfterMs = "answered_after_ms"
        case residentBefore = "resident_before", residentPeak = "resident_peak", residentAfter = "resident_after"
    }
}

/// Counts what the threads of an attack do.
final class Tally: Sendable {
    private let counts = Mutex((rounds: 0, connections: 0, bytes: 0))
    func round() { counts.withLock { $0.rounds += 1 } }
    func connection() { counts.withLock { $0.connections += 1 } }
    func sent(_ bytes: Int) { counts.withLock { $0.bytes += bytes } }
    var values: (rounds: Int, connections: Int, bytes: Int) { counts.withLock { $0 } }
}

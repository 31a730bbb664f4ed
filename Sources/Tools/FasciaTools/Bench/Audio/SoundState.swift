import FasciaProcesses
import Foundation

/// What the head unit's console answers to `audio`, as far as it is looked at here.
struct SoundState: Decodable {
    struct Sink: Decodable {
        var missed: Int
        var precedence: String?
    }

    struct Stream: Decodable {
        var stream: UInt32
        var route: String
        var latency_ms: Percentiles?
        var gaps, concealed, late: Int
        var buffered_ms, most_buffered_ms, target_ms: Double
    }

    struct Move: Decodable {
        var from_db, to_db, began_ms: Double
        var ended_ms: Double?
    }

    var sink: Sink
    var streams: [Stream]
    var duck_level_db: Double
    var duck_moves: [Move]
    var network_precedence: String?

    init(of console: ChildProgram) async throws {
        let answer = try await console.ask("audio")
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(answer.utf8))
        } catch { throw ToolError("fascia-headunit answered \(answer): \(error)") }
    }

    var media: Stream? { streams.first { $0.route == "media" } }

    func playing() throws -> Stream {
        guard let media else { throw ToolError("no stream plays") }
        return media
    }
}

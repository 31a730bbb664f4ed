import FasciaEvents
import FasciaProcesses
import Foundation

/// Drives the head unit's console as a driver would the screen.
enum InputBench {
    static let appName = "Rubber Soul"
    /// A row of the app's list whose handler completes at once.
    static let row = "Recently Played"

    static func run(taps: Int) async throws -> InputReport {
        let pair = try await BenchPair(app: Programs.path("RubberSoul"))
        defer { pair.end() }
        let begin = MonotonicClock.now()
        let phone = try await pair.startPhone()
        defer { phone.end() }
        let console = pair.headUnit
        do {
            _ = try await pair.headUnitEvents.next("first-frame", after: begin, from: console.name)
            _ = try await console.ask("wait \"\(appName)\" 20", within: .seconds(25))
            _ = try await console.ask("tap \"\(appName)\"")
            _ = try await console.ask("wait \"\(row)\" 20", within: .seconds(25))
            _ = try await console.ask("sleep 1") // pictures still arriving
            _ = try await console.ask("tap \"\(row)\"") // warms both ends
            _ = try await console.ask("sleep 0.2")
            _ = try await console.ask("stats reset")
            for _ in 0..<taps {
                _ = try await console.ask("tap \"\(row)\"")
                _ = try await console.ask("sleep 0.03") // the change of this tap, before the next
            }
            return try report(await console.ask("stats"), taps: taps)
        } catch let error as ToolError {
            throw ToolError("\(error)\n\(phone.lastErrors())")
        }
    }

    private static func report(_ stats: String, taps: Int) throws -> InputReport {
        struct Statistics: Decodable {
            let tap_to_frame_ms: Percentiles?
            let bytes_per_update: Percentiles?
        }
        guard let statistics = try? JSONDecoder().decode(Statistics.self, from: Data(stats.utf8)) else {
            throw ToolError("the head unit's stats cannot be read: \(stats)")
        }
        guard let times = statistics.tap_to_frame_ms, let bytes = statistics.bytes_per_update else {
            throw ToolError("no tap changed the screen: is \"\(row)\" on it?")
        }
        return InputReport(tapToFrame: times, bytesPerUpdate: bytes)
    }
}

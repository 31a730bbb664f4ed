import FasciaEvents
import FasciaLab
import Foundation

/// What a bad link did to a head unit and a phone. Times in milliseconds.
struct SoakReport: Encodable {
    struct End: Encodable {
        var late = 0
        var suspicions = 0
        var recoveries = 0
        var races = 0
        var racesWonByNew = 0
        var racesWonByOld = 0
        var suspensions = 0
        var resumes = 0
        var disconnects = 0
        /// Of the time of the run, one processor.
        var cpuPercent = 0.0

        enum CodingKeys: String, CodingKey {
            case late, suspicions, recoveries, races, suspensions, resumes, disconnects
            case racesWonByNew = "races_won_by_new", racesWonByOld = "races_won_by_old", cpuPercent = "cpu_percent"
        }
    }

    var seconds: Double
    var gaps: UInt64
    var packetsLost: UInt64
    var sceneDisconnects: Int
    var appExits: Int
    var aliveAtEnd: Bool
    var passed: Bool
    var phone: End
    var car: End
    var frames: Int
    var worstFrameGap: Double
    /// From the end of a gap to the next frame.
    var frameAfterGap: Percentiles?
    var taps: Int
    var refusedTaps: Int
    var tapToFrame: Percentiles?

    enum CodingKeys: String, CodingKey {
        case seconds, gaps, phone, car, frames, taps, passed
        case packetsLost = "packets_lost", sceneDisconnects = "scene_disconnects", appExits = "app_exits", aliveAtEnd = "alive_at_end"
        case worstFrameGap = "worst_frame_gap_ms", frameAfterGap = "frame_after_gap_ms", refusedTaps = "refused_taps", tapToFrame = "tap_to_frame_ms"
    }

    init(_ rig: LabRig, plan: SoakPlan, link: LinkStatistics, stats: String?, window: ClosedRange<UInt64>, taps: Int, refusedTaps: Int, aliveAtEnd: Bool,
         processor: (phone: Double, car: Double)) {
        let start = window.lowerBound
        seconds = Double(window.upperBound - start) / 1e9
        gaps = link.outageCount
        packetsLost = [link.towardCar, link.towardPhone].map { $0.lostAtRandom + $0.lostInCuts + $0.lostToQueue }.reduce(0, +)
        sceneDisconnects = rig.phoneEvents.count("scene-disconnected", from: start)
        appExits = rig.phoneEvents.count("app-exited", from: start) + rig.phoneEvents.count("app-failed", from: start)
        phone = Self.end(rig.phoneEvents, start, processor.phone / seconds)
        car = Self.end(rig.carEvents, start, processor.car / seconds)
        let frames = rig.carEvents.times("frame", from: start).filter { $0 <= window.upperBound }
        self.frames = frames.count
        worstFrameGap = Percentiles.milliseconds(zip(frames, frames.dropFirst()).map { $1 - $0 }.max() ?? UInt64(seconds * 1e9))
        frameAfterGap = Percentiles(nanoseconds: Self.afterGaps(link.outages, frames))
        (self.taps, self.refusedTaps, self.aliveAtEnd) = (taps, refusedTaps, aliveAtEnd)
        struct Stats: Decodable { let tap_to_frame_ms: Percentiles? }
        tapToFrame = stats.flatMap { try? JSONDecoder().decode(Stats.self, from: Data($0.utf8)) }?.tap_to_frame_ms
        passed = sceneDisconnects == 0 && phone.disconnects == 0 && car.disconnects == 0 && appExits == 0 && aliveAtEnd
    }

    private static func end(_ file: EventFile, _ start: UInt64, _ processor: Double) -> End {
        var end = End()
        end.late = file.count("late", from: start)
        end.suspicions = file.count("suspected", from: start)
        end.recoveries = file.count("recovered", from: start)
        end.races = file.count("race-started", from: start)
        let won = file.records.filter { $0.event == "race-won" && $0.time >= start }.map { $0["by"]?.string }
        end.racesWonByNew = won.count { $0 == "new" }
        end.racesWonByOld = won.count { $0 == "old" }
        end.suspensions = file.count("suspended", from: start)
        end.resumes = file.count("resumed", from: start)
        end.disconnects = file.count("disconnected", from: start)
        end.cpuPercent = (processor * 10_000).rounded() / 100
        return end
    }

    /// Both ascending. The last ones may have no frame behind them.
    static func afterGaps(_ outages: [Outage], _ frames: [UInt64]) -> [UInt64] {
        var index = 0
        return outages.compactMap { outage in
            guard let end = outage.end else { return nil }
            while index < frames.count, frames[index] < end { index += 1 }
            guard index < frames.count else { return nil }
            return frames[index] - end
        }
    }

    var text: String {
        let rows = [
            ["", "phone", "car"],
            ["late", "\(phone.late)", "\(car.late)"],
            ["suspicions", "\(phone.suspicions)", "\(car.suspicions)"],
            ["races (won by new, old)", "\(phone.races) (\(phone.racesWonByNew), \(phone.racesWonByOld))", "\(car.races)"],
            ["suspensions", "\(phone.suspensions)", "\(car.suspensions)"],
            ["resumes", "\(phone.resumes)", "\(car.resumes)"],
            ["disconnects", "\(phone.disconnects)", "\(car.disconnects)"],
            ["cpu %", "\(phone.cpuPercent)", "\(car.cpuPercent)"],
        ]
        func line(_ percentiles: Percentiles?) -> String {
            percentiles.map { "p50 \($0.p50)  p90 \($0.p90)  p99 \($0.p99)  max \($0.max) ms" } ?? "none"
        }
        return """
            \(passed ? "passed" : "FAILED"): \(Int(seconds)) s, \(gaps) gaps, \(packetsLost) packets lost, \(sceneDisconnects) scene disconnects, \(appExits) apps ended, \
            \(aliveAtEnd ? "alive" : "NOT alive") at the end
            \(Output.table(rows))
            frames \(frames), longest time without one \(worstFrameGap) ms
            link back -> next frame   \(line(frameAfterGap))
            tap -> frame              \(line(tapToFrame))   (\(taps) taps, \(refusedTaps) refused)
            """
    }
}

import FasciaCarrier
import FasciaSound
import Glibc

/// The answer of `audio`, one line of JSON. Milliseconds and dB.
struct SoundReport: Encodable {
    struct Sink: Encodable {
        var name: String
        var latency_ms: Double
        /// Times it asked more than a period late, and what it left out after long stalls.
        var missed: Int
        var skipped_ms: Double
        /// Of its thread; nil: it is the system's, or has not begun.
        var precedence: String?
        var failure: String?
    }

    /// The duck went from one level to another, linear in dB. Times of CLOCK_MONOTONIC.
    struct Move: Encodable {
        var from_db: Double
        var to_db: Double
        var began_ms: Double
        /// Nil: it is on its way.
        var ended_ms: Double?
    }

    struct Route: Encodable {
        /// 0 to 100.
        var volume: Int
        var muted: Bool
    }

    struct Stream: Encodable {
        var route: String
        var stream: UInt32
        var label: String
        var format: String
        var gain_db: Double
        /// What turns it down now.
        var ducked_db: Double
        /// Silent because the car has the main audio.
        var held: Bool
        var ending: Bool
        var target_ms: Double
        var buffered_ms: Double
        var most_buffered_ms: Double
        var latency_ms: LatencyHistogram.Summary?
        var packets: Int
        var concealed: Int
        var late: Int
        var malformed: Int
        var gaps: Int
        var drift_ppm: Double
    }

    struct Ducking: Encodable {
        var level_db: Double
        var by: [String]
    }

    struct Microphone: Encodable {
        var device: String?
        var open: Bool
        var label: String?
        var packets: Int?
        var dropped: Int?
    }

    /// Who has the main audio now.
    var owner: String
    var sink: Sink
    var routes: [String: Route]
    var streams: [Stream]
    var ducking: Ducking?
    /// Where the duck is on its ramp.
    var duck_level_db: Double
    /// The latest, the last of them last.
    var duck_moves: [Move]
    var radio: Bool
    var car_call: Bool
    var microphone: Microphone
    /// Of the threads that take sound from the network; nil before there was a phone.
    var network_precedence: String?
    /// Packets the mixer did not take because it was not asked for sound.
    var dropped: Int
    /// Largest sample of the last moment, dB of full scale; nil: silence.
    var peak_db: Double?
}

extension CarSound {
    /// - Parameter owner: of the main audio.
    func report(owner: String) -> SoundReport {
        let picture = engine.now, statistics = engine.sinkStatistics
        func milliseconds(_ nanoseconds: Int64) -> Double { (Double(nanoseconds) / 1e4).rounded() / 100 }
        func decibels(_ value: Float) -> Double { (Double(value) * 10).rounded() / 10 }
        let streams = picture.streams.map { status in
            SoundReport.Stream(
                route: status.key.route.name, stream: status.key.number, label: status.label, format: status.format.text, gain_db: decibels(status.gain),
                ducked_db: decibels(status.duck), held: picture.held.contains(status.key), ending: status.ending, target_ms: milliseconds(status.buffer.target),
                buffered_ms: milliseconds(status.buffer.buffered), most_buffered_ms: milliseconds(status.buffer.largestBuffered),
                latency_ms: engine.withLatencies { $0[status.key] }, packets: status.buffer.packets, concealed: status.buffer.concealed,
                late: status.buffer.late, malformed: status.buffer.malformed, gaps: status.buffer.gaps, drift_ppm: (status.buffer.driftPPM * 10).rounded() / 10)
        }
        func name(_ key: StreamKey) -> String {
            let label = picture.streams.first { $0.key == key }?.label ?? ""
            return "\(key.route.name) \(key.number)" + (label.isEmpty ? "" : " \(label)")
        }
        let routes = AudioRoute.allCases.map { ($0.name, SoundReport.Route(volume: Int((volume($0) * 100).rounded()), muted: isMuted($0))) }
        let label = listener, counts = microphone.counts
        return SoundReport(
            owner: owner,
            sink: .init(name: engine.sinkName, latency_ms: milliseconds(engine.sinkLatency), missed: statistics.missedDeadlines,
                        skipped_ms: milliseconds(statistics.skipped), precedence: statistics.precedence?.rawValue, failure: statistics.failure),
            routes: Dictionary(uniqueKeysWithValues: routes), streams: streams, ducking: picture.duck.map { .init(level_db: decibels($0.level), by: $0.by.map(name)) },
            duck_level_db: decibels(picture.duckLevel), duck_moves: picture.duckMoves.map { move in
                SoundReport.Move(from_db: decibels(move.from), to_db: decibels(move.to), began_ms: milliseconds(Int64(clamping: move.began)),
                                 ended_ms: move.ended.map { milliseconds(Int64(clamping: $0)) })
            }, radio: isOn(.radio), car_call: isOn(.call) || isOn(.ring),
            microphone: .init(device: microphone.name, open: label != nil, label: label, packets: counts?.sent, dropped: counts?.dropped),
            network_precedence: LinkSession.soundPrecedence?.rawValue, dropped: engine.dropped, peak_db: picture.peak > 0 ? decibels(20 * log10(picture.peak)) : nil)
    }
}

import FasciaSound

/// From a packet's time stamp on the phone to the loudspeaker, milliseconds, looked at every 10 ms while a stream sounds. Of each stream that
/// there is, and of all there were.
struct SoundLatencies {
    private(set) var all = LatencyHistogram()
    private var streams: [StreamKey: LatencyHistogram] = [:]

    mutating func record(_ statuses: [FasciaSound.StreamStatus]) {
        for status in statuses where !status.ending {
            guard let latency = status.latency, (0..<10_000_000_000).contains(latency) else { continue }
            let milliseconds = Double(latency) / 1e6
            all.record(milliseconds)
            streams[status.key, default: LatencyHistogram()].record(milliseconds)
        }
    }

    mutating func ended(_ keys: [StreamKey]) { for key in keys { streams[key] = nil } }

    mutating func forget() { (all, streams) = (LatencyHistogram(), [:]) }

    subscript(key: StreamKey) -> LatencyHistogram.Summary? { streams[key]?.summary }
}

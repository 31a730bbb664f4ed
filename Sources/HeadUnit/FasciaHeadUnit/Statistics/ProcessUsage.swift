import FasciaEvents
import Glibc

/// What this process takes.
struct ProcessUsage: Encodable {
    /// Resident memory now and at its highest, bytes.
    var rss_bytes: Int
    var peak_rss_bytes: Int
    /// Processor time since the start, seconds.
    var cpu_seconds: Double
    /// Share of one processor since the last reading, percent.
    var cpu_percent: Double
}

/// Reads `ProcessUsage`, remembering the last reading.
struct ProcessMeter {
    private var lastTime = MonotonicClock.now()
    private var lastSeconds = ProcessMeter.processorSeconds()

    mutating func read() -> ProcessUsage {
        let now = MonotonicClock.now(), seconds = Self.processorSeconds()
        let elapsed = Double(now - lastTime) / 1e9
        let percent = elapsed > 0 ? (seconds - lastSeconds) / elapsed * 100 : 0
        (lastTime, lastSeconds) = (now, seconds)
        let usage = Self.resources()
        return ProcessUsage(rss_bytes: Self.resident(), peak_rss_bytes: usage.ru_maxrss * 1_024, cpu_seconds: (seconds * 1_000).rounded() / 1_000,
                            cpu_percent: (percent * 100).rounded() / 100)
    }

    private static func resources() -> rusage {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage
    }

    private static func processorSeconds() -> Double {
        let usage = resources()
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    /// Second field of `/proc/self/statm`, pages.
    private static func resident() -> Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var buffer = [CChar](repeating: 0, count: 128)
        guard fgets(&buffer, 128, file) != nil else { return 0 }
        let text = String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let fields = text.split(separator: " ")
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) : 0
    }
}

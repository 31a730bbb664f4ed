import FasciaSound
import Foundation

/// The yardstick of processor time: a bare thread that is woken as a sink and a sender are, every 5 ms, and carries the bytes of one 48 kHz
/// stereo stream through a socket.
enum PlainCarrier {
    private static let packet = 1920 // 10 ms

    /// - Returns: percent of a core that it took; 0 when no socket could be had.
    static func percentOfCore(seconds: Double) -> Double {
        var sockets: [Int32] = [0, 0]
        guard socketpair(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0, &sockets) == 0 else { return 0 }
        defer { sockets.forEach { close($0) } }
        var bytes = [UInt8](repeating: 0, count: packet)
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: packet / 2)
        defer { samples.deallocate() }
        let (begin, used) = (time(CLOCK_MONOTONIC), time(CLOCK_THREAD_CPUTIME_ID))
        var deadline = begin
        var tick = 0
        while time(CLOCK_MONOTONIC) - begin < seconds {
            deadline += 0.005
            var wanted = timespec(tv_sec: Int(deadline), tv_nsec: Int(deadline.truncatingRemainder(dividingBy: 1) * 1e9))
            clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &wanted, nil)
            tick += 1
            guard tick.isMultiple(of: 2) else { continue }
            guard write(sockets[0], bytes, packet) == packet, read(sockets[1], &bytes, packet) == packet else { break }
            bytes.withUnsafeBytes { PCM16.decode($0, into: samples) }
        }
        let took = time(CLOCK_THREAD_CPUTIME_ID) - used
        return (took / max(time(CLOCK_MONOTONIC) - begin, 0.001) * 10_000).rounded() / 100
    }

    /// Seconds.
    private static func time(_ clock: clockid_t) -> Double {
        var value = timespec()
        clock_gettime(clock, &value)
        return Double(value.tv_sec) + Double(value.tv_nsec) / 1e9
    }
}

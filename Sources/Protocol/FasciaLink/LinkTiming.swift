import FasciaWire

/// Liveness values in force, after clamping (spec: Liveness).
public struct LinkTiming: Hashable, Sendable {
    /// Nanoseconds of inbound silence after which a probe goes out, and between probes.
    public let probeInterval: UInt64
    /// Nanoseconds of inbound silence after which the link is suspect.
    public let suspectAfter: UInt64
    /// Nanoseconds of inbound silence after which the link is dead.
    public let deadAfter: UInt64
    /// Nanoseconds the head unit keeps the session after death.
    public let grace: UInt64

    /// Pairing waits for people and for key stretching.
    static let pairing = LinkTiming(
        clamping: Liveness.with {
            $0.probeIntervalMs = 1_000
            $0.suspectAfterMs = 3_000
            $0.deadAfterMs = 10_000
        })

    /// Replaces 0 by the default and moves the rest into range; both ends do the same.
    public init(clamping proposed: Liveness) {
        func clamp(_ value: UInt32, default standard: UInt32, _ low: UInt32, _ high: UInt32) -> UInt32 {
            min(max(value == 0 ? standard : value, low), high)
        }
        let probe = clamp(proposed.probeIntervalMs, default: 100, 10, 10_000)
        let suspect = clamp(proposed.suspectAfterMs, default: 300, 2 * probe, 60_000)
        let dead = clamp(proposed.deadAfterMs, default: 1_500, suspect + probe, 120_000)
        let grace = clamp(proposed.graceMs, default: 10_000, 0, 600_000)
        probeInterval = UInt64(probe) * LinkConstants.millisecond
        suspectAfter = UInt64(suspect) * LinkConstants.millisecond
        deadAfter = UInt64(dead) * LinkConstants.millisecond
        self.grace = UInt64(grace) * LinkConstants.millisecond
    }

    /// The values as they are written into Welcome.
    public var message: Liveness {
        Liveness.with {
            $0.probeIntervalMs = UInt32(probeInterval / LinkConstants.millisecond)
            $0.suspectAfterMs = UInt32(suspectAfter / LinkConstants.millisecond)
            $0.deadAfterMs = UInt32(deadAfter / LinkConstants.millisecond)
            $0.graceMs = UInt32(grace / LinkConstants.millisecond)
        }
    }
}

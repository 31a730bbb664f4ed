/// Specification constants of the link (spec: Timers and limits).
public enum LinkConstants {
    static let millisecond: UInt64 = 1_000_000

    /// Longest time from the start of a connection to Welcome, in nanoseconds.
    public static let handshakeTimeout: UInt64 = 5_000 * millisecond
    /// Longest time from the start of a pairing connection to CLOSE paired, in nanoseconds.
    public static let pairingTimeout: UInt64 = 120_000 * millisecond
    /// Shortest time after which a missing answer is late, in nanoseconds.
    public static let lateMinimum: UInt64 = 20 * millisecond
    /// What is added to the usual round trip before a missing answer is late, in nanoseconds.
    public static let lateMargin: UInt64 = 10 * millisecond
    /// Probe answers kept while they cannot be sent; older ones are dropped.
    public static let maxWaitingProbeAnswers = 8
    /// Entries of `capabilities` or `channels` in Hello and Welcome.
    public static let maxListEntries = 64
    /// `name` in Hello and Welcome, bytes of UTF-8.
    public static let maxName = 64
    /// `software` in Hello and Welcome, bytes of UTF-8.
    public static let maxSoftware = 128
    /// Longest time between probes while the peer's clock is needed, in nanoseconds.
    public static let clockInterval: UInt64 = 1_000 * millisecond
    /// Smallest `Limits.max_message`, in bytes, and the longest message a phone starts before Welcome.
    public static let minMaxMessage = 1_048_576
    /// Bytes of `session_id` in Welcome.
    public static let sessionIDSize = 16
    /// Bytes of `resume_token` in Welcome.
    public static let resumeTokenSize = 32
    /// Entries of `screens` in Welcome.
    public static let maxScreens = 8
    /// Width and height of a screen, in pixels.
    public static let screenSides: ClosedRange<UInt32> = 1...16_384
    /// Pixels a point.
    public static let screenScales: ClosedRange<Float> = 0.5...8
    /// Protocol versions this library speaks.
    public static let versions: ClosedRange<UInt32> = 1...1
    /// MAX_RESIDENT, 13: memory of a process, whatever its peers do, bytes.
    public static let maxResident = 256_000_000
}

/// Implementation constants: free to change without touching the protocol.
enum LinkTuning {
    /// Nanoseconds that a byte in front of a probe may take on a path that is slow but well: 1 MB/s.
    static let slowestByte: UInt64 = 1_000
    /// Probes whose answers are still matched for the round-trip time.
    static let trackedProbes = 16
    /// Answers of which the quickest tells the offset of the peer's clock.
    static let clockSamples = 32
    /// A sample's age counts as that much less quickness: 50 ppm of drift unknown.
    static let clockAgeing: UInt64 = 20_000
    /// So many probes go out in quick succession when the clock begins to be needed, and how far apart, in nanoseconds.
    static let firstClockSamples = 8
    static let firstClockInterval: UInt64 = 100 * LinkConstants.millisecond
    /// Points the drift is taken from, and how far they are apart at least, in nanoseconds.
    static let anchors = 24
    static let anchorSpacing: UInt64 = 5_000 * LinkConstants.millisecond
    /// Shortest time over which a drift is believed, in nanoseconds.
    static let driftBaseline: UInt64 = 20_000 * LinkConstants.millisecond
    /// Smallest room in an output buffer for which a message is cut to fit instead of waiting for the next call, in bytes.
    static let smallestCut = 64
}

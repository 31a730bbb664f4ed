/// Decides how much faster or slower than its own pace a stream is played, so that its delay stays where it should: a
/// proportional and integral controller on the smoothed error. The integral is the two clocks' difference.
struct DriftControl {
    /// Of the playing speed: 0.5 %, a twelfth of a semitone.
    static let largestCorrection = 0.005
    /// Of clocks, taken for drift.
    static let largestDrift = 0.0005

    /// A second; 2 ms too much are played off 0.1 % faster.
    private static let proportional = 0.5
    /// A second squared; settles within a minute. Until then the proportional part holds 100 ppm with an error of 0.2 ms.
    private static let integral = 0.015
    /// Time constant of the smoothing, seconds.
    private static let smoothing = 0.25

    /// Speed that keeps up with the sender's clock, less 1.
    private(set) var drift = 0.0
    /// Delay less target, seconds, smoothed.
    private(set) var error = 0.0
    private var settled = false
    private var calm = 0.0 // seconds since the last jump

    /// - Parameters:
    ///   - error: delay less target, seconds.
    ///   - elapsed: since the call before, seconds.
    ///   - steady: the target stays where it is.
    /// - Returns: speed, 1 ± `largestCorrection`.
    mutating func speed(error now: Double, elapsed: Double, steady: Bool) -> Double {
        calm = steady ? calm + elapsed : 0
        if settled {
            error += (now - error) * min(1, elapsed / Self.smoothing)
        } else {
            (error, settled) = (now, true)
        }
        if abs(error) < 0.001, calm > 5 { // else something other than drift is the cause
            drift = min(max(drift + Self.integral * error * elapsed, -Self.largestDrift), Self.largestDrift)
        }
        return 1 + min(max(Self.proportional * error + drift, -Self.largestCorrection), Self.largestCorrection)
    }

    /// The delay was changed at once; the clocks are the same.
    mutating func jumped() { (settled, calm) = (false, 0) }
}

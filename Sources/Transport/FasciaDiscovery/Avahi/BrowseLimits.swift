/// Implementation limits of browsing: what hosts on the network can make this process keep.
enum BrowseLimits {
    /// Service instances resolved at a time; further ones are not looked at until one goes away.
    static let maximumInstances = 256
    /// Pause before an instance that did not answer is asked again.
    static let resolveRetryMilliseconds: UInt32 = 1000
}

import FasciaLink
import NIOCore

extension LinkInstant {
    /// CLOCK_MONOTONIC, which the event loops use as well.
    static var current: LinkInstant { NIODeadline.now().uptimeNanoseconds }
}

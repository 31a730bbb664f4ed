/// A point in time: nanoseconds of a monotonic clock that the caller chooses and passes in.
public typealias LinkInstant = UInt64

extension LinkInstant {
    /// Nanoseconds since `earlier`; 0 when the clock went back.
    func elapsed(since earlier: LinkInstant) -> UInt64 { self > earlier ? self - earlier : 0 }

    /// `self` plus `nanoseconds`, at most the end of time.
    func advanced(nanoseconds: UInt64) -> LinkInstant {
        let (sum, overflow) = addingReportingOverflow(nanoseconds)
        return overflow ? .max : sum
    }
}

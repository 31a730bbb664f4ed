@testable import FasciaLab
import Testing

@Suite struct QuantityTests {
    @Test(arguments: [("300ms", 300_000_000), ("1.5s", 1_500_000_000), ("200us", 200_000), ("7ns", 7), ("2min", 120_000_000_000), ("0ms", 0)] as [(String, UInt64)])
    func durations(text: String, nanoseconds: UInt64) { #expect(Quantity.duration(text) == nanoseconds) }

    @Test(arguments: ["", "ms", "10", "-1ms", "nans", "infs", "1e30s", "25000min", "10 ms"])
    func noDurations(text: String) { #expect(Quantity.duration(text) == nil) }
}

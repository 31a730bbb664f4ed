import FasciaProcesses
import Foundation
import Testing

struct ProcessUsageTests {
    @Test func thisProcess() throws {
        let usage = try #require(ProcessUsage(of: getpid()))
        #expect(usage.descriptors > 2 && usage.threads > 0 && usage.resident > usage.own && usage.own > 0)
    }

    @Test func nobody() { #expect(ProcessUsage(of: Int32.max) == nil) }
}

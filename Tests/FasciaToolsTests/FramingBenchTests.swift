@testable import FasciaTools
import Testing

@Suite struct FramingBenchTests {
    @Test func theReadingsAgreeOnTheFrames() throws {
        let report = try FramingBench.run(rounds: 1, seconds: 0.01)
        #expect(report.framesPerSecond > 0)
        #expect(report.machineFramesPerSecond > 0)
        #expect(report.payloadBytes == 64)
        #expect(report.yardsticks.count == 1)
    }
}

@testable import FasciaTools
import Testing

@Suite struct PercentilesTests {
    @Test func nearestRank() throws {
        let hundred = try #require(Percentiles(nanoseconds: (1...100).reversed().map { UInt64($0) * 1_000_000 }))
        #expect(zip([hundred.p50, hundred.p90, hundred.p99, hundred.max], [50, 90, 99, 100]).allSatisfy { abs($0 - $1) <= $1 / 1_000 })
        let one = try #require(Percentiles(nanoseconds: [1_234_567]))
        #expect(one.cells.allSatisfy { $0 == "1.235" })
        #expect(Percentiles(nanoseconds: []) == nil)
    }

    @Test func columnsAreAsWideAsTheirLongestCell() {
        #expect(Output.table([["NAME", "PORT"], ["a longer name", "1"]]) == "NAME           PORT\na longer name  1")
    }

    @Test func namesOfPeersAreHarmlessOnATerminal() {
        #expect(Output.printable("My\u{1B}[2J Car\u{202E}\n車") == "My[2J Car車")
    }
}

@testable import FasciaTools
import Testing

@Suite struct PercentilesTests {
    @Test func nearestRank() throws {
        let hundred = try #require(Percentiles(nanoseconds: (1...100).reversed().map { UInt64($0) * 1_000_000 }))
        #expect(hundred.cells == ["50.0", "90.0", "99.0", "100.0"])
        let one = try #require(Percentiles(nanoseconds: [1_234_567]))
        #expect(one.cells == ["1.235", "1.235", "1.235", "1.235"])
        #expect(Percentiles(nanoseconds: []) == nil)
    }

    @Test func columnsAreAsWideAsTheirLongestCell() {
        #expect(Output.table([["NAME", "PORT"], ["a longer name", "1"]]) == "NAME           PORT\na longer name  1")
    }

    @Test func namesOfPeersAreHarmlessOnATerminal() {
        #expect(Output.printable("My\u{1B}[2J Car\u{202E}\n車") == "My[2J Car車")
    }
}

import FixtureSupport
import Foundation
import FuzzCore
import FuzzSystem
import Testing

/// The fuzzers' corpus and all fixtures, without the fuzzer.
struct FuzzReplayTests {
    @Test(arguments: FuzzTarget.all)
    func corpus(_ target: FuzzTarget) {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Fixtures/fuzz/\(target.name)").standardized.path
        let files = FuzzTarget.files(of: folder)
        #expect(!files.isEmpty)
        for file in files { #expect(target.check(FuzzTarget.contents("\(folder)/\(file)")) == nil, "\(file)") }
    }

    @Test(arguments: Fixture.all("frame") + Fixture.all("session").filter { $0.bytes.count < 20_000 })
    func framesOfFixtures(_ fixture: Fixture) throws {
        let target = try #require(FuzzTarget.all.first { $0.name == "frame" })
        for size: UInt8 in [1, 7, 255] { #expect(target.check([255, size] + fixture.bytes) == nil) }
    }

    @Test(arguments: Fixture.all("resource"))
    func resourcesOfFixtures(_ fixture: Fixture) throws {
        for name in ["resource-header", "resource"] {
            let target = try #require(FuzzTarget.all.first { $0.name == name })
            #expect(target.check((name == "resource" ? [0] : []) + fixture.bytes) == nil)
        }
    }
}

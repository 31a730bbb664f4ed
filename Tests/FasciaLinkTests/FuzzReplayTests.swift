import FixtureSupport
import Foundation
import FuzzBodies
import Testing

/// The fuzzers' corpus and all fixtures, without the fuzzer.
struct FuzzReplayTests {
    @Test(arguments: FuzzBody.allCases)
    func corpus(_ body: FuzzBody) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Fuzz/Corpus/\(body.rawValue)").standardized
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        #expect(!files.isEmpty)
        for file in files {
            let finding = body.check(Array(try Data(contentsOf: file)))
            #expect(finding == nil, "\(file.lastPathComponent)")
        }
    }

    @Test(arguments: Fixture.all("frame") + Fixture.all("session").filter { $0.bytes.count < 20_000 })
    func framesOfFixtures(_ fixture: Fixture) {
        for size: UInt8 in [1, 7, 255] { #expect(FuzzBody.framing.check([255, size] + fixture.bytes) == nil) }
    }

    @Test(arguments: Fixture.all("resource"))
    func resourcesOfFixtures(_ fixture: Fixture) { #expect(FuzzBody.resource.check(fixture.bytes) == nil) }
}

import Foundation
import Testing

@testable import FasciaTrust

enum SmallDisk {
    static let canMount: Bool = {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("fascia-mount-\(UUID().uuidString)").path
        guard geteuid() == 0, mkdir(path, 0o700) == 0 else { return false }
        defer { rmdir(path) }
        guard mount("tmpfs", path, "tmpfs", 0, "size=16k") == 0 else { return false }
        return umount2(path, Int32(MNT_DETACH)) == 0
    }()
}

/// A file system without room: a tmpfs of 16 kB where the tests run as root.
@Suite(.enabled(if: SmallDisk.canMount, "needs to mount a tmpfs"))
final class FullDiskTests {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("fascia-full-\(UUID().uuidString)").path
        #expect(mkdir(path, 0o700) == 0)
        #expect(mount("tmpfs", path, "tmpfs", 0, "size=16k,mode=0700") == 0)
    }

    deinit {
        umount2(path, Int32(MNT_DETACH))
        rmdir(path)
    }

    @Test func fullDiskHarmsNothing() throws {
        let directory = try StateDirectory(path: path)
        let store = try TrustStore(directory)
        try store.add(peer("kept", 1))
        let before = try String(contentsOfFile: store.path, encoding: .utf8)

        // Fill what is left.
        let filler = open(path + "/filler", O_WRONLY | O_CREAT, 0o600)
        let block = [UInt8](repeating: 0, count: 512)
        while write(filler, block, block.count) > 0 {}
        close(filler)

        do {
            try store.add(peer("too much", 2))
            Issue.record("written to a full disk")
        } catch {
            let error = try #require(error as? StateError)
            #expect(error.code == .writeFailed)
            #expect(error.description.contains("make room"))
        }
        #expect(try String(contentsOfFile: store.path, encoding: .utf8) == before)
        #expect(store.peers.map(\.name) == ["kept"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: path).sorted() == ["filler", "trust.json", "trust.json.lock"])

        // And with room again it goes on.
        #expect(unlink(path + "/filler") == 0)
        try store.add(peer("later", 2))
        #expect(try TrustStore(directory).peers.map(\.name) == ["kept", "later"])
    }
}

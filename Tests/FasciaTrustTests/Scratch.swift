import FasciaTLS
import Foundation
import Testing

@testable import FasciaTrust

/// A directory of its own for one test, removed afterwards.
final class Scratch {
    let path: String
    var directory: StateDirectory { get throws { try StateDirectory(path: path + "/state") } }
    var trustFile: String { path + "/state/" + TrustStore.fileName }
    var identityFile: String { path + "/state/" + Identity.fileName }

    init() {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("fascia-trust-\(UUID().uuidString)").path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func read(_ file: String) -> String? { try? String(contentsOfFile: file, encoding: .utf8) }

    func write(_ text: String, to file: String, mode: mode_t = 0o600) throws {
        try text.write(toFile: file, atomically: false, encoding: .utf8)
        #expect(chmod(file, mode) == 0)
    }

    func mode(_ file: String) -> mode_t? {
        var status = stat()
        return stat(file, &status) == 0 ? status.st_mode & 0o777 : nil
    }
}

func peer(_ name: String, _ byte: UInt8) throws -> TrustedPeer {
    TrustedPeer(name: name, fingerprint: try #require(Fingerprint(bytes: [UInt8](repeating: byte, count: 32))), pairedAt: 1_700_000_000)
}

func code(_ body: () throws -> some Any) -> StateError.Code? {
    do {
        _ = try body()
        return nil
    } catch { return (error as? StateError)?.code }
}

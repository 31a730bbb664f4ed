import Foundation
import Testing

@testable import FasciaTLS

struct KeyLogTests {
    /// In a process of its own: the environment is shared by all tests of one.
    @Test func secretsAreLoggedWhereTheEnvironmentSays() async {
        await #expect(processExitsWith: .success) {
            let path = FileManager.default.temporaryDirectory.appendingPathComponent("fascia-keys-\(getpid())").path
            defer { unlink(path) }
            setenv(KeyLog.environmentVariable, path, 1)
            try TLSPair(TLSPair.Ends()).handshake()
            let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
            let labels = Set(lines.map { $0.prefix { $0 != " " } })
            let expected: Set<Substring> = [
                "CLIENT_HANDSHAKE_TRAFFIC_SECRET", "SERVER_HANDSHAKE_TRAFFIC_SECRET", "CLIENT_TRAFFIC_SECRET_0", "SERVER_TRAFFIC_SECRET_0",
                "EXPORTER_SECRET",
            ]
            var status = stat()
            guard labels.isSuperset(of: expected), stat(path, &status) == 0, status.st_mode & 0o777 == 0o600 else { exit(1) }
        }
    }
}

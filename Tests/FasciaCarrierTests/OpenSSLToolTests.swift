import FasciaTLS
import FasciaTrust
import Foundation
import Synchronization
import Testing

@testable import FasciaCarrier

/// A TLS client that is not ours: `openssl s_client`.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl"), "needs the openssl tool"))
struct OpenSSLToolTests {
    func client(_ rig: Rig, _ arguments: [String]) async throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments = ["s_client", "-connect", rig.address.description] + arguments
        process.standardInput = FileHandle.nullDevice
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let data = await Task.detached { output.fileHandleForReading.readDataToEndOfFile() }.value
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }

    @Test func tls12IsRefused() async throws {
        let rig = try await Rig()
        let output = try await client(rig, ["-tls1_2", "-alpn", "fascia/1"])
        #expect(output.contains("protocol version"))
        let error = await rig.events.rejection()
        #expect(error?.code == .notFascia)
        #expect((error?.cause as? TLSError)?.code == .versionUnsupported)
    }

    @Test func unknownOrMissingALPNIsRefused() async throws {
        let rig = try await Rig()
        for arguments in [["-alpn", "h2"], []] {
            #expect(try await client(rig, arguments).contains("no application protocol"))
            #expect((await rig.events.rejection()?.cause as? TLSError)?.code == .applicationProtocol)
        }
    }

    @Test func clientWithoutCertificateIsRefused() async throws {
        let rig = try await Rig()
        let output = try await client(rig, ["-alpn", "fascia/1"])
        #expect(output.contains("TLSv1.3"))
        #expect((await rig.events.rejection()?.cause as? TLSError)?.code == .certificateMissing)
    }

    @Test func pinnedKeyFileGetsThrough() async throws {
        let rig = try await Rig()
        let key = rig.phoneTrust.directory.path + "/" + Identity.fileName
        let output = try await client(rig, ["-alpn", "fascia/1", "-cert", key, "-key", key])
        #expect(output.contains("ALPN protocol: fascia/1"))
        #expect(output.contains("Server public key is 256 bit"))
        let phase = await rig.events.first { if case .phase(let phase, _) = $0, phase.kind == .secured { phase } else { nil } }
        #expect(phase?.isResumed == false)
    }

    @Test func strangersKeyFileIsRefused() async throws {
        let rig = try await Rig()
        let directory = try StateDirectory(path: rig.path + "/stranger")
        let stranger = try Identity.loadOrCreate(in: directory)
        let key = directory.path + "/" + Identity.fileName
        _ = try await client(rig, ["-alpn", "fascia/1", "-cert", key, "-key", key])
        #expect((await rig.events.rejection()?.cause as? TLSError)?.peer == stranger.fingerprint)
    }
}

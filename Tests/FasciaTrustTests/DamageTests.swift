import FasciaTLS
import Foundation
import Testing

@testable import FasciaTrust

/// Whatever is wrong with the files: a clear error, and what is there stays as it is.
struct DamageTests {
    let scratch = Scratch()

    @Test(arguments: [
        "", "{", "[]", "null", "{\"version\": 1}", "{\"version\": \"1\", \"peers\": []}", "{\"version\": 2, \"peers\": []}",
        "{\"version\": 1, \"peers\": [{\"name\": \"x\", \"pairedAt\": 1}]}",
        "{\"version\": 1, \"peers\": [{\"name\": \"x\", \"fingerprint\": \"abc\", \"pairedAt\": 1}]}",
        "{\"version\": 1, \"peers\": [{\"name\": 7, \"fingerprint\": \"\(String(repeating: "0", count: 64))\", \"pairedAt\": 1}]}",
    ])
    func corruptStoreIsNeverOverwritten(_ content: String) throws {
        let store = try TrustStore(scratch.directory)
        try store.add(peer("before", 1))
        try scratch.write(content, to: scratch.trustFile)
        #expect(code { try TrustStore(scratch.directory) } == .corrupt)
        // A running process trusts nobody then, and does not write either.
        #expect(store.peers.isEmpty)
        #expect(code { try store.currentPeers() } == .corrupt)
        #expect(code { try store.add(peer("x", 2)) } == .corrupt)
        #expect(code { try store.forget("before") } == .corrupt)
        #expect(scratch.read(scratch.trustFile) == content)
    }

    @Test func errorNamesFileAndRemedy() throws {
        try scratch.write("{", to: try scratch.directory.file(TrustStore.fileName))
        do {
            _ = try TrustStore(scratch.directory)
            Issue.record("accepted")
        } catch {
            let error = try #require(error as? StateError)
            #expect(error.description.hasPrefix(scratch.trustFile + ": is damaged"))
            #expect(error.description.contains("pair anew"))
        }
    }

    @Test(arguments: [mode_t(0o644), 0o660, 0o604])
    func filesOpenToOthersAreRefused(_ mode: mode_t) throws {
        _ = try Identity.loadOrCreate(in: scratch.directory)
        try TrustStore(scratch.directory).add(peer("x", 1))
        #expect(chmod(scratch.trustFile, mode) == 0)
        #expect(chmod(scratch.identityFile, mode) == 0)
        #expect(code { try TrustStore(scratch.directory) } == .permissionsTooOpen)
        #expect(code { try Identity.loadOrCreate(in: scratch.directory) } == .permissionsTooOpen)
    }

    @Test func directoryOthersMayWriteIntoIsRefused() throws {
        let directory = try scratch.directory
        #expect(chmod(directory.path, 0o777) == 0)
        #expect(code { try StateDirectory(path: directory.path) } == .permissionsTooOpen)
    }

    @Test func aFileInPlaceOfTheDirectoryIsRefused() throws {
        _ = try scratch.directory
        try scratch.write("x", to: scratch.path + "/file")
        #expect(code { try StateDirectory(path: scratch.path + "/file") } == .directoryUnusable)
        #expect(code { try StateDirectory(path: scratch.path + "/file/sub") } == .directoryUnusable)
    }

    @Test func aDirectoryInPlaceOfAFileIsRefused() throws {
        try FileManager.default.createDirectory(atPath: scratch.directory.file(TrustStore.fileName), withIntermediateDirectories: true)
        #expect(code { try TrustStore(scratch.directory) } == .unreadable)
    }

    @Test func identityIsMadeOnceAndKept() throws {
        let first = try Identity.loadOrCreate(in: scratch.directory)
        #expect(try Identity.loadOrCreate(in: scratch.directory).fingerprint == first.fingerprint)
        #expect(scratch.mode(scratch.identityFile) == 0o600)
    }

    @Test func concurrentFirstStartsAgreeOnOneIdentity() async throws {
        let directory = try scratch.directory
        let prints = try await withThrowingTaskGroup(of: Fingerprint.self) { group in
            for _ in 0..<8 { group.addTask { try Identity.loadOrCreate(in: directory).fingerprint } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(prints.count == 1)
    }

    @Test func damagedIdentityIsNeverReplaced() throws {
        _ = try Identity.loadOrCreate(in: scratch.directory)
        let half = String(try #require(scratch.read(scratch.identityFile)).prefix(150))
        try scratch.write(half, to: scratch.identityFile)
        #expect(code { try Identity.loadOrCreate(in: scratch.directory) } == .corrupt)
        #expect(scratch.read(scratch.identityFile) == half)
    }

    @Test func stateHomeFollowsTheXDGSpecification() throws {
        // Reading the environment of this process: set nothing, only check the explicit directory wins.
        #expect(try StateDirectory.resolve(flag: scratch.path + "/mine", program: "phone").path == scratch.path + "/mine")
    }
}

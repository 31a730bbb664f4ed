import Foundation
import Testing

@testable import FasciaTrust

struct TrustStoreTests {
    let scratch = Scratch()

    @Test func peersSurviveTheProcess() throws {
        let store = try TrustStore(scratch.directory)
        #expect(store.peers.isEmpty)
        try store.add(peer("Volvo 240", 1))
        try store.add(peer("Škoda “100”", 2))
        try store.update(peer("", 1).fingerprint, lastAddress: "[fe80::1%eth0]:7000")
        let again = try TrustStore(scratch.directory)
        #expect(again.peers == store.peers)
        #expect(again.peers.map(\.name) == ["Volvo 240", "Škoda “100”"])
        #expect(again.peers.first?.lastAddress == "[fe80::1%eth0]:7000")
        #expect(scratch.mode(scratch.trustFile) == 0o600)
        #expect(scratch.mode(scratch.path + "/state") == 0o700)
    }

    @Test func pairingAgainRenewsTheEntry() throws {
        let store = try TrustStore(scratch.directory)
        try store.add(peer("old", 1))
        try store.add(peer("other", 2))
        try store.add(peer("new", 1))
        #expect(store.peers.map(\.name) == ["other", "new"]) // the last one is the one paired last
    }

    @Test func forgetByNameOrFingerprint() throws {
        let store = try TrustStore(scratch.directory)
        for byte in UInt8(1)...3 { try store.add(peer("Car \(byte)", byte)) }
        #expect(try store.forget("car 1").map(\.name) == ["Car 1"])
        #expect(try store.forget("0202020202").map(\.name) == ["Car 2"])
        #expect(store.peers.map(\.name) == ["Car 3"])
        #expect(code { try store.forget("Car 1") } == .unknownPeer)
        #expect(code { try store.forget("03") } == .unknownPeer) // too short to mean one
        #expect(try TrustStore(scratch.directory).peers.map(\.name) == ["Car 3"])
    }

    @Test func otherProcessesChangesAreSeen() throws {
        let one = try TrustStore(scratch.directory)
        let other = try TrustStore(scratch.directory)
        try one.add(peer("a", 1))
        #expect(other.isTrusted(try peer("a", 1).fingerprint))
        try other.add(peer("b", 2))
        try one.add(peer("c", 3))
        #expect(one.peers.map(\.name) == ["a", "b", "c"])
        try other.forget("a")
        #expect(!one.isTrusted(try peer("a", 1).fingerprint))
        try FileManager.default.removeItem(atPath: scratch.trustFile)
        #expect(one.peers.isEmpty)
    }

    @Test func manyWritersLoseNothing() async throws {
        let directory = try scratch.directory
        try await withThrowingTaskGroup(of: Void.self) { group in
            for byte in UInt8(1)...24 {
                group.addTask { try TrustStore(directory).add(peer("p\(byte)", byte)) }
            }
            try await group.waitForAll()
        }
        #expect(try TrustStore(directory).peers.count == 24)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted() == ["trust.json", "trust.json.lock"])
    }

    @Test func namesAreBoundedAndHarmless() throws {
        let store = try TrustStore(scratch.directory)
        try store.add(peer(String(repeating: "ü", count: 100), 1))
        try store.add(peer("\u{1B}[2Jevil\n", 2))
        #expect(store.peers[0].name == String(repeating: "ü", count: 32))
        #expect(store.peers[1].name == "[2Jevil")
    }
}

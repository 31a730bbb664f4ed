@testable import FasciaEvidence
import FasciaEvents
import Foundation
import Testing

/// With the kernel, in the network namespace of `scripts/lib/confined`: only there an interface may be switched off.
@Suite(.serialized) struct EvidenceSourcesTests {
    private struct TimedOut: Error {}

    init() throws {
        try #require(ProcessInfo.processInfo.environment["FASCIA_CONFINED"] == "1", "run scripts/test, or scripts/lib/confined swift test --skip-build")
    }

    /// Events in order; each `next` takes the next that fits and fails after ten seconds.
    private func next(_ sources: EvidenceSources, _ wanted: @escaping @Sendable (EvidenceEvent.Kind) -> Bool) async throws -> EvidenceEvent {
        try await withThrowingTaskGroup(of: EvidenceEvent?.self) { group in
            group.addTask {
                for await event in sources.events where wanted(event.kind) { return event }
                return nil
            }
            group.addTask {
                try await Task.sleep(for: .seconds(10))
                throw TimedOut()
            }
            defer { group.cancelAll() }
            guard let event = try await group.next() ?? nil else { throw TimedOut() }
            return event
        }
    }

    private func ip(_ arguments: String...) throws {
        try #require(try status(arguments) == 0, "ip \(arguments)")
    }

    /// Also when it has gone already.
    private func delete(_ interface: String) { _ = try? status(["link", "delete", interface]) }

    private func status(_ arguments: [String]) throws -> Int32 {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["ip"] + arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        return process.terminationStatus
    }

    @Test func anInterfaceGoesAndComesBack() async throws {
        try ip("link", "add", "evidence0", "type", "veth", "peer", "name", "evidence1")
        defer { delete("evidence0") }
        try ip("link", "set", "evidence1", "up")
        let sources = EvidenceSources()
        defer { sources.stop() }
        sources.start()
        try ip("link", "set", "evidence0", "up")
        _ = try await next(sources) { $0 == .carrierBack(interface: "evidence0") }
        try ip("address", "add", "192.0.2.7/24", "dev", "evidence0")
        _ = try await next(sources) { $0 == .addressAdded(address: "192.0.2.7", interface: "evidence0") }
        #expect(LinkPath(to: "192.0.2.9") == LinkPath(interface: "evidence0", address: "192.0.2.7"))
        try ip("link", "set", "evidence1", "down") // the other end's cable
        _ = try await next(sources) { $0 == .carrierLost(interface: "evidence0") }
        try ip("link", "set", "evidence1", "up")
        _ = try await next(sources) { $0 == .carrierBack(interface: "evidence0") }
        try ip("address", "delete", "192.0.2.7/24", "dev", "evidence0")
        _ = try await next(sources) { $0 == .addressLost(address: "192.0.2.7", interface: "evidence0") }
        try ip("link", "delete", "evidence0")
        _ = try await next(sources) { $0 == .carrierLost(interface: "evidence0") }
    }

    /// More changes than the socket holds, unread: the table is right again afterwards.
    @Test func lostMessagesAreMadeUpFor() async throws {
        let watch = try #require(InterfaceWatch())
        var size: Int32 = 1
        setsockopt(watch.descriptor, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        try ip("link", "add", "flood0", "type", "veth", "peer", "name", "flood1")
        defer { delete("flood0") }
        for number in 1...64 { try ip("address", "add", "192.0.2.\(number)/32", "dev", "flood0") }
        let changes = watch.read()
        for number in [1, 33, 64] { #expect(changes.contains(.addressAdded(address: "192.0.2.\(number)", interface: "flood0"))) }
    }

    @Test func thePowerHintIsReadToItsEnd() async throws {
        let pipe = Pipe()
        let sources = EvidenceSources(powerHint: dup(pipe.fileHandleForReading.fileDescriptor))
        defer { sources.stop() }
        sources.start()
        try pipe.fileHandleForWriting.write(contentsOf: Data("charging\nnonsense\ndischarging\ncharging\n".utf8))
        #expect(try await next(sources) { _ in true }.kind == .powerLost)
        #expect(try await next(sources) { _ in true }.kind == .powerBack)
        try pipe.fileHandleForWriting.close()
        // The end of the hint is not the end of the rest.
        try ip("link", "add", "after0", "type", "veth", "peer", "name", "after1")
        defer { delete("after0") }
        try ip("link", "set", "after1", "up")
        try ip("link", "set", "after0", "up")
        _ = try await next(sources) { $0 == .carrierBack(interface: "after0") }
    }

    @Test func nothingIsLeftBehind() throws {
        func descriptors() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
        let before = try descriptors()
        for _ in 0..<50 {
            let sources = EvidenceSources()
            sources.start()
            sources.stop()
        }
        #expect(try descriptors() <= before + 110) // closed on the queue, which may lag behind the stop
    }
}

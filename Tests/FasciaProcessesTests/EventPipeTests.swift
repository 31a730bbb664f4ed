import FasciaEvents
import FasciaProcesses
import Testing

@Suite struct EventPipeTests {
    @Test func eventsAreFoundInAnyOrderAndOldOnesDropped() async throws {
        let directory = try TemporaryDirectory()
        let pipe = try EventPipe(path: directory.file("events"))
        let log = try EventLog(path: pipe.path, narrate: { _ in })
        log.emit("tcp", at: 5)
        log.emit("secured", at: 20)
        log.emit("tcp", at: 10)
        log.emit("first-frame", at: 30)
        #expect(try await pipe.next("tcp", after: 8, from: "test").time == 10)
        #expect(try await pipe.next("secured", after: 10, from: "test").time == 20)
        #expect(try await pipe.next("disconnected", "first-frame", after: 10, from: "test").event == "first-frame")
    }

    @Test func whatDoesNotComeIsAClearError() async throws {
        let directory = try TemporaryDirectory()
        let pipe = try EventPipe(path: directory.file("events"))
        await #expect { try await pipe.next("first-frame", after: 0, from: "fascia-headunit", within: 0.05) } throws: {
            "\($0)".contains("fascia-headunit did not report first-frame")
        }
    }
}

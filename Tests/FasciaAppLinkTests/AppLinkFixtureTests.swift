import FasciaAppLink
import FixtureSupport
import Foundation
import Synchronization
import SwiftProtobuf
import Testing

/// The golden vectors of `Fixtures/applink`, at several chunk sizes.
struct AppLinkFixtureTests {
    private static let fixtures = Fixture.all("applink")

    @Test func thereAreSome() { #expect(Self.fixtures.count >= 19) }

    /// Every rule of frames and messages, among them what is ignored: [AF-4], [AM-2].
    @Test(arguments: fixtures, [1, 13, 4_096, 1 << 21])
    private func vector(_ fixture: Fixture, chunk: Int) throws {
        // Byte by byte through a megabyte says nothing that the small ones do not.
        guard fixture.bytes.count / chunk < 100_000 else { return }
        if fixture.entry["receiver"]?.string == "phone" {
            try check(fixture, chunk, receiver: PhoneSideConnection.self)
        } else {
            try check(fixture, chunk, receiver: AppSideConnection.self)
        }
    }

    private func check<I: AppLinkMessage, O: AppLinkMessage>(_ fixture: Fixture, _ chunk: Int, receiver: AppLinkConnection<I, O>.Type) throws {
        let (near, far) = InMemoryCarrier.pair()
        let connection = AppLinkConnection<I, O>(carrier: near)
        let events = Mutex<[AppLinkEvent<I>]>([])
        connection.start { event in events.withLock { $0.append(event) } }
        far.start { _ in }
        for piece in fixture.bytes.chunks(of: chunk) { far.send(Array(piece)) }
        if fixture.entry["stream_ends"] == .bool(true) { far.close() }

        var messages: [I] = []
        var error: AppLinkError?
        for event in events.withLock({ $0 }) {
            switch event {
            case .message(let message): messages.append(message)
            case .ended(let reason): error = reason
            case .drained: break
            }
        }
        let expected = try (fixture.expect["messages"]?.array ?? []).map { message in
            try I(jsonUTF8Data: JSONEncoder().encode(message["fields"] ?? .object([:])))
        }
        // Fields this version of the schema does not know are kept by the decoder and absent from the expectation.
        #expect(messages.map { try? $0.jsonString() } == expected.map { try? $0.jsonString() })
        #expect(error?.code.name == fixture.expect["error"]?["code"]?.string)
    }
}

import CResolver
import Testing

@testable import FasciaDiscovery

extension MDNSTests {
    /// Its name was gone and its old SRV record was not: whoever begins to follow it then is told the new record and, after it, the old one.
    @Test(arguments: DiscoveryBackend.allCases)
    func aCarThatComesBackAtAnotherPortWhileItsOldOneIsCachedIsSeenThere(backend: DiscoveryBackend) async throws {
        try prepare(backend)
        let browser = try Browser.test(backend)
        defer { browser.stop() }
        let car = Advertisement.test("Comet")
        @Sendable func announce(_ port: UInt16) -> Bool {
            !EarlyAnnouncement.send(instance: car.instance, host: "comet.local", port: port, text: car.txt, on: "lo").isEmpty
        }
        let announcing = Task { // whoever does not listen yet hears it a moment later
            while !Task.isCancelled {
                #expect(announce(7001))
                try await Task.sleep(for: .milliseconds(100))
            }
        }
        #expect(try await browser.found("Comet").port == 7001)
        announcing.cancel()
        _ = await announcing.result

        let socket = try #require(MulticastInterface.all(only: "lo").first.flatMap { MulticastSocket(on: $0, sharesPort: true) })
        let type = try #require(DNSName.type), service = try #require(DNSName.service(car.instance))
        #expect(socket.send(DNSWriter.announcement([DNSWriter.Record(name: type, type: ns_t_ptr, isUnique: false, lifetime: 0, data: service.wire)])))
        try await browser.lost("Comet")

        #expect(announce(7002))
        #expect(try await browser.found("Comet") { $0.port == 7002 }.host == "127.0.0.1")
    }
}

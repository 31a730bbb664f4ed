import FasciaDiscovery
import Foundation
import Testing

/// Both backends, on the loopback interface of `scripts/lib/confined`; in order, because they share the one network.
@Suite(.serialized) struct MDNSTests {
    init() throws { try Confinement.require() }

    /// Starts the daemon for `.daemon`, makes sure that there is none for `.embedded`.
    private func prepare(_ backend: DiscoveryBackend) throws { try Confinement.avahi(backend == .daemon ? "start" : "stop") }

    @Test(arguments: DiscoveryBackend.allCases)
    func aCarIsFoundThenLost(backend: DiscoveryBackend) async throws {
        try prepare(backend)
        let car = try Announced("Rubber Soul", port: 7001, backend: nil)
        let browser = try Browser.test(nil)
        defer { browser.stop() }
        #expect(try await car.backendUsed() == backend)
        let found = try await browser.found("Rubber Soul")
        #expect(found.port == 7001)
        #expect(found.id == "abababababababab")
        #expect(found.addresses.contains("127.0.0.1"))
        #expect(found.host == "127.0.0.1")
        #expect(found.acceptsPairing)
        #expect(browser.backend == backend)
        #expect(browser.cars.map(\.name).contains("Rubber Soul"))
        car.advertiser.stop()
        try await browser.lost("Rubber Soul")
    }

    @Test(arguments: DiscoveryBackend.allCases)
    func aChangedTextRecordIsSeen(backend: DiscoveryBackend) async throws {
        try prepare(backend)
        let car = try Announced("Changing", pairing: true, backend: backend)
        defer { car.advertiser.stop() }
        let browser = try Browser.test(backend)
        defer { browser.stop() }
        _ = try await car.established()
        #expect(try await browser.found("Changing").acceptsPairing)
        car.advertiser.update(.test("Changing", pairing: false))
        #expect(try await browser.found("Changing").acceptsPairing == false)
    }

    @Test(arguments: DiscoveryBackend.allCases)
    func aTakenNameIsReplacedAndTold(backend: DiscoveryBackend) async throws {
        try prepare(backend)
        let first = try Announced("Ведро 车 🚗", port: 7001, backend: backend)
        defer { first.advertiser.stop() }
        #expect(try await first.established() == "Ведро 车 🚗")
        let second = try Announced("Ведро 车 🚗", port: 7002, backend: backend)
        defer { second.advertiser.stop() }
        let renamed = try await second.next { if case .renamed(let from, let to) = $0 { [from, to] } else { nil } }
        #expect(renamed == ["Ведро 车 🚗", "Ведро 车 🚗 #2"])
        #expect(try await second.established() == "Ведро 车 🚗 #2")
        #expect(second.advertiser.establishedName == "Ведро 车 🚗 #2")
        let browser = try Browser.test(backend)
        defer { browser.stop() }
        #expect(try await browser.found("Ведро 车 🚗 #2").port == 7002)
    }

    /// The view of a program that is not ours, by a daemon that is not ours.
    @Test(arguments: DiscoveryBackend.allCases)
    func avahiBrowseSeesNamePortAndText(backend: DiscoveryBackend) async throws {
        try prepare(.daemon)
        let car = try Announced("Strawberry Fields", port: 7003, backend: backend)
        defer { car.advertiser.stop() }
        _ = try await car.established()
        let (status, output) = try Confinement.run("avahi-browse", "-rpt", Advertisement.serviceType)
        #expect(status == 0)
        let line = try #require(output.split(separator: "\n").first { $0.hasPrefix("=;lo;IPv4;Strawberry\\032Fields;_fascia._tcp;local;") }, "\(output)")
        #expect(line.contains(";127.0.0.1;7003;"))
        for entry in ["\"v=1\"", "\"id=abababababababab\"", "\"name=Strawberry Fields\"", "\"pair=1\""] { #expect(line.contains(entry)) }
    }

    @Test func theDaemonGoesAndComesBack() async throws {
        try prepare(.daemon)
        let car = try Announced("Here again", backend: .daemon)
        defer { car.advertiser.stop() }
        let browser = try Browser.test(.daemon)
        defer { browser.stop() }
        _ = try await car.established()
        _ = try await browser.found("Here again")
        try Confinement.avahi("stop")
        try await browser.lost("Here again")
        #expect(try await car.unavailable().code == .daemonGone)
        #expect(car.advertiser.backend == nil)
        try Confinement.avahi("start")
        #expect(try await car.established() == "Here again")
        _ = try await browser.found("Here again")
    }

    @Test func aDaemonThatStaysAwayIsReplaced() async throws {
        try prepare(.daemon)
        let browser = try Browser.test(nil)
        defer { browser.stop() }
        #expect(try await browser.backendUsed() == .daemon)
        try Confinement.avahi("stop")
        #expect(try await browser.backendUsed() == .embedded)
        let car = try Announced("After the daemon", backend: nil)
        defer { car.advertiser.stop() }
        _ = try await browser.found("After the daemon")
    }

    @Test func aDemandedDaemonThatIsNotThereIsAClearErrorAndIsWaitedFor() async throws {
        try prepare(.embedded)
        let browser = try Browser.test(.daemon)
        defer { browser.stop() }
        let error = try await browser.unavailable()
        #expect(error.code == .daemonUnavailable)
        #expect(error.description.contains("FASCIA_MDNS_BACKEND=embedded"))
        try prepare(.daemon)
        #expect(try await browser.backendUsed() == .daemon)
    }

    @Test func aMissingInterfaceIsAClearError() async throws {
        let browser = Browser(options: DiscoveryOptions(interface: "nonesuch0"))
        try browser.start()
        defer { browser.stop() }
        let error = try await browser.unavailable()
        #expect(error.code == .noSuchInterface)
        #expect(error.description.contains("nonesuch0"))
    }

    /// Threads, descriptors and C objects go away with the handles, also without `stop` and from inside a callback.
    @Test func nothingIsLeftBehind() async throws {
        try prepare(.embedded)
        func descriptors() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }
        func threads() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
        }
        let before = try descriptors()
        for turn in 0..<20 {
            let car = try Announced("Leak \(turn)", backend: .embedded)
            let browser = try Browser.test(.embedded)
            if turn % 2 == 0 { car.advertiser.stop(); browser.stop() }
        }
        #expect(try descriptors() <= before + 4) // other tests of this process come and go
        #expect(try threads() < 64)
    }
}

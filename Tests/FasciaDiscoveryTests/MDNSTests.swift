import FasciaDiscovery
import Foundation
import Testing

/// Both backends, on the loopback interface of `scripts/lib/confined`; in order, because they share the one network.
@Suite(.serialized) struct MDNSTests {
    init() throws { try Confinement.require() }

    /// Starts the daemon for `.daemon`, makes sure that there is none for `.embedded`.
    func prepare(_ backend: DiscoveryBackend) throws { try Confinement.avahi(backend == .daemon ? "start" : "stop") }

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
        #expect(browser.cars.map(\.displayName).contains("Rubber Soul"))
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
        // What was on its way is told first; without the change `found` ends by its time limit.
        while try await browser.found("Changing").acceptsPairing {}
    }

    /// As when a phone connects at once, so that the car takes no other: what had been told of it must not be taken back on the way.
    @Test(arguments: DiscoveryBackend.allCases)
    func aTextRecordThatChangesAtOnceIsNoGoodbye(backend: DiscoveryBackend) async throws {
        try prepare(backend)
        let browser = try Browser.test(backend)
        defer { browser.stop() }
        let car = try Announced("Hasty", pairing: true, backend: backend)
        defer { car.advertiser.stop() }
        _ = try await browser.found("Hasty")
        car.advertiser.update(.test("Hasty", pairing: false))
        _ = try await car.established()
        /// Everything up to a state, and whether the car was gone in between.
        func isLost(before pairing: Bool) async throws -> Bool {
            try await browser.next { event in
                switch event {
                case .lost: true
                case .found(let car) where car.displayName == "Hasty" && car.acceptsPairing == pairing: false
                default: nil
                }
            }
        }
        #expect(try await !isLost(before: false))
        car.advertiser.update(.test("Hasty", pairing: true))
        #expect(try await !isLost(before: true))
    }

    /// Two cars of one key (a copied disk): the one thing that makes two want the same name. One is renamed; people see the same.
    @Test(arguments: [[DiscoveryBackend.daemon, .daemon], [.embedded, .embedded], [.daemon, .embedded], [.embedded, .daemon]])
    func aTakenNameIsReplacedAndTold(backends: [DiscoveryBackend]) async throws {
        try prepare(backends.contains(.daemon) ? .daemon : .embedded)
        let name = Advertisement.test("Ведро 车 🚗").instance
        #expect(name == "Ведро 车 🚗 abababababababab")
        let first = try Announced("Ведро 车 🚗", port: 7001, backend: backends[0])
        defer { first.advertiser.stop() }
        #expect(try await first.established() == name)
        let second = try Announced("Ведро 车 🚗", port: 7002, backend: backends[1])
        defer { second.advertiser.stop() }
        // Which one is open: the newcomer tells everybody at once, so that the two are probing against each other (RFC 6762, 8.2).
        let loser = try await withThrowingTaskGroup(of: Announced.self) { group in
            for car in [first, second] {
                group.addTask {
                    let names = try await car.next { if case .renamed(let from, let to) = $0 { [from, to] } else { nil } }
                    #expect(names == [name, name + " #2"])
                    return car
                }
            }
            defer { group.cancelAll() }
            let loser = try await group.next()
            return try #require(loser)
        }
        #expect(try await loser.established() == name + " #2")
        let ports = loser === first ? [7002, 7001] : [7001, 7002] as [UInt16]
        let browser = try Browser.test(backends[1])
        defer { browser.stop() }
        #expect(try await browser.found(name + " #2") { $0.port == ports[1] }.displayName == "Ведро 车 🚗")
        let another = try Browser.test(backends[0])
        defer { another.stop() }
        _ = try await another.next { if case .found(let car) = $0, car.name == name, car.port == ports[0] { car } else { nil } }
    }

    /// Two started at the same moment: neither has the name yet when both want it.
    @Test func ofTwoAtOnceOneGivesWay() async throws {
        try prepare(.embedded)
        let first = try Announced("Twins", port: 7001, backend: .embedded)
        defer { first.advertiser.stop() }
        let second = try Announced("Twins", port: 7002, backend: .embedded)
        defer { second.advertiser.stop() }
        let names = [try await first.established(), try await second.established()]
        #expect(Set(names).count == 2)
    }

    @Test(arguments: DiscoveryBackend.allCases)
    func carsOfOneNameAreToldApart(backend: DiscoveryBackend) async throws {
        try prepare(backend)
        let first = try Announced("Fascia", port: 7001, key: 1, backend: backend)
        defer { first.advertiser.stop() }
        let second = try Announced("Fascia", port: 7002, key: 2, backend: backend)
        defer { second.advertiser.stop() }
        let browser = try Browser.test(backend)
        defer { browser.stop() }
        #expect(try await first.established() == "Fascia 0101010101010101")
        #expect(try await second.established() == "Fascia 0202020202020202")
        while browser.cars.count < 2 { _ = try await browser.found("Fascia") }
        #expect(Set(browser.cars.map(\.port)) == [7001, 7002])
        #expect(Set(browser.cars.map(\.displayName)) == ["Fascia"])
    }

    // MARK: Freshness

    @Test(arguments: DiscoveryBackend.allCases)
    func aWaitingPhoneSeesACarBeforeItsNameIsClaimed(backend: DiscoveryBackend) async throws {
        try prepare(backend)
        let browser = try Browser.test(backend)
        defer { browser.stop() }
        _ = try await browser.backendUsed()
        // Either is noted when it comes here, which may be late: one of three has to be in order.
        var leads: [Duration] = []
        for name in ["Early", "Earlier", "Earliest"] where leads.last.map({ $0 <= .zero }) ?? true {
            let car = try Announced(name, port: 7001, backend: backend)
            defer { car.advertiser.stop() }
            async let seen = (browser.found(name), ContinuousClock.now)
            let told = try await car.next { if case .announced(_, let interfaces) = $0 { interfaces } else { nil } }
            #expect(told == ["lo"])
            #expect(try await car.established() == "\(name) abababababababab") // its own early word is no rival
            let claimed = ContinuousClock.now, (found, first) = try await seen
            leads.append(first.duration(to: claimed))
            #expect(found.port == 7001)
            #expect(found.addresses == ["127.0.0.1"])
            #expect(found.id == "abababababababab")
        }
        #expect(leads.last.map { $0 > .zero } == true, "seen before it was claimed: \(leads)")
    }

    /// Killed and started again at another port, without a goodbye: the cached record of the old port must not outlive the news.
    @Test(arguments: DiscoveryBackend.allCases)
    func aRestartedCarIsSeenAtItsNewPort(backend: DiscoveryBackend) async throws {
        try prepare(backend)
        let first = try Announced("Again", port: 7001, backend: backend)
        let browser = try Browser.test(backend)
        defer { browser.stop() }
        #expect(try await browser.found("Again").port == 7001)
        _ = try await first.established()
        first.advertiser.update(.test("Again", port: 7009)) // the records change without a goodbye in between
        #expect(try await browser.found("Again") { $0.port == 7009 }.host == "127.0.0.1")
        first.advertiser.stop()
        let second = try Announced("Again", port: 7010, backend: backend)
        defer { second.advertiser.stop() }
        #expect(try await browser.found("Again") { $0.port == 7010 }.host == "127.0.0.1")
    }

    @Test(arguments: DiscoveryBackend.allCases)
    func aCarIsAskedDirectly(backend: DiscoveryBackend) async throws {
        try prepare(backend)
        let options = DiscoveryOptions(interface: "lo")
        #expect(await UnicastQuery.ask("Nobody 0000000000000000", options: options, within: .milliseconds(100)) == nil)
        let car = try Announced("A.B\\C \u{1F697}", port: 7001, backend: backend)
        defer { car.advertiser.stop() }
        let name = try await car.established()
        let answer = try #require(await UnicastQuery.ask(name, options: options, within: .seconds(30)))
        #expect(answer.car.name == name)
        #expect(answer.car.displayName == "A.B\\C \u{1F697}")
        #expect(answer.car.port == 7001)
        #expect(answer.car.host == "127.0.0.1")
        #expect(answer.car.id == "abababababababab")
        #expect(answer.interface == "lo")
        #expect(await UnicastQuery.ask(name, options: DiscoveryOptions(interface: "nonesuch0"), within: .milliseconds(50)) == nil)
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
        // The first address may be of either kind: an embedded responder tells IPv6 ones over IPv4 too.
        let line = try #require(output.split(separator: "\n").first { $0.hasPrefix("=;lo;IPv4;Strawberry\\032Fields\\032abababababababab;_fascia._tcp;local;") }, "\(output)")
        #expect(line.contains(";127.0.0.1;7003;") || line.contains(";::1;7003;"))
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
        #expect(try await car.established() == "Here again abababababababab")
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

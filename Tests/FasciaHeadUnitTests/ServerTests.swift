import FasciaCarrier
import FasciaEvents
import FasciaLink
import FasciaScene
import FasciaTLS
import FasciaTrust
import FasciaWire
import Logging
import Testing
@testable import FasciaHeadUnit

/// A head unit and phones over TCP and TLS on loopback.
@MainActor
@Suite struct ServerTests {
    let car: TemporaryDirectory
    let server: HeadUnitServer
    let console: ConsoleRunner
    let address: CarrierAddress
    nonisolated static let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    init() async throws {
        car = try TemporaryDirectory()
        let server = try HeadUnitServer(options: options(in: car), surface: HeadlessSurface(), events: EventLog(path: nil, narrate: { _ in }), log: Self.quiet) { _ in }
        try await server.start(environment: [:])
        self.server = server
        address = CarrierAddress(host: "127.0.0.1", port: server.port)
        console = ConsoleRunner(unit: server.unit) { server.inject($0) }
    }

    /// A phone of its own state directory.
    final class Phone {
        let directory: TemporaryDirectory
        let dialer: LinkDialer
        let name: String
        var publisher = ScenePublisher()
        var welcome: Welcome?

        init(_ name: String) throws {
            self.name = name
            directory = try TemporaryDirectory()
            let state = try StateDirectory(path: directory.path)
            dialer = try LinkDialer(identity: Identity.loadOrCreate(in: state), trust: TrustStore(state), log: ServerTests.quiet)
        }

        func connect(to address: CarrierAddress) async throws -> LinkSession {
            let welcome = welcome
            let hello = Hello.with {
                $0.versionMin = 1
                $0.versionMax = 1
                $0.name = name
                $0.capabilities = [Capability.zstd, .semantics, .animations].map { UInt32($0.rawValue) }
                $0.channels = [1, 2, 4, 16]
                if let welcome {
                    $0.resume.sessionID = welcome.sessionID
                    $0.resume.token = welcome.resumeToken
                }
            }
            let session = try await dialer.connect(to: address, expecting: nil, hello: hello) { _ in }
            self.welcome = session.welcome
            if session.welcome.hasResumed { publisher.resume(highestResource: session.welcome.resumed.highestResource) } else { publisher = ScenePublisher() }
            return session
        }

        func show(_ frame: SceneFrame, on session: LinkSession) throws {
            guard let publication = publisher.publish(frame) else { return }
            for (channel, type, body) in try messages(publication) { session.send(channel: channel.rawValue, type: type, body: body) }
        }
    }

    func waits(_ text: String) async -> String { await console.run(.wait(text: text, seconds: 20)).line }

    @Test func pairShowResumeAndRefuse() async throws {
        let anna = try Phone("Anna"), boris = try Phone("Boris")
        for phone in [anna, boris] { _ = try await phone.dialer.pair(with: address, code: { "482913" }, name: phone.name) }
        let first = try await anna.connect(to: address)
        try anna.show(scene(), on: first)
        #expect(await waits("Rubber Soul").hasPrefix("ok"))

        // A second phone is refused, the first one stays.
        do {
            _ = try await boris.connect(to: address)
            Issue.record("a second phone was taken")
        } catch { #expect("\(error)".contains("Anna") && (error as? CarrierError)?.closure?.code == .busy, "\(error)") }

        // A new connection of the same phone takes the session over.
        let second = try await anna.connect(to: address)
        #expect(second.welcome.hasResumed)
        var end: LinkClosure?
        for await event in first.events {
            if case .closed(let closure) = event { end = closure }
        }
        #expect(end?.code == .superseded)
        try anna.show(scene(says: "Revolver"), on: second)
        #expect(await waits("Revolver").hasPrefix("ok"))

        // Goodbye: home at once.
        second.close(.goodbye, detail: "")
        #expect(await waits("Waiting for phone").hasPrefix("ok"))
        await server.stop()
    }

    @Test func aCutIsShownAndHealed() async throws {
        let anna = try Phone("Anna")
        _ = try await anna.dialer.pair(with: address, code: { "482913" }, name: anna.name)
        let first = try await anna.connect(to: address)
        try anna.show(scene(), on: first)
        #expect(await waits("Rubber Soul").hasPrefix("ok"))
        #expect(await console.run(.link(.cut)).line == "ok link cut")
        #expect(await waits("Connection lost").hasPrefix("ok"))
        #expect(await console.run(.link(.restore)).line == "ok link restored")
        let second = try await anna.connect(to: address)
        #expect(second.welcome.hasResumed)
        #expect(await waits("Rubber Soul").hasPrefix("ok"))
        await server.stop()
        var end: LinkClosure?
        for await event in second.events {
            if case .closed(let closure) = event { end = closure }
        }
        #expect(end?.code == .shutdown)
    }

    @Test func wrongCodesAreSaidAndCounted() async throws {
        let phone = try Phone("Eve")
        for _ in 0..<4 { try await guessWrong(phone) }
        #expect(await waits("Pairing failed").hasPrefix("ok"))
        try await guessWrong(phone)
        #expect(await waits("Pairing is locked").hasPrefix("ok"))
        #expect(!SemanticsSearch(nodes: server.unit.display.semantics).shows("482913"))
        await server.stop()
    }

    /// One wrong code. While the head unit still closes the attempt before, it says that it is busy.
    private func guessWrong(_ phone: Phone) async throws {
        while true {
            do throws(CarrierError) {
                _ = try await phone.dialer.pair(with: address, code: { "000000" }, name: phone.name)
                Issue.record("a wrong code was taken")
                return
            } catch {
                if error.code == .wrongCode { return }
                guard error.code == .busy else { throw error }
            }
        }
    }

    @Test func aPortInUseIsNamed() async throws {
        let other = try TemporaryDirectory()
        var options = try options(in: other)
        options.port = server.port
        let second = try HeadUnitServer(options: options, surface: HeadlessSurface(), events: EventLog(path: nil, narrate: { _ in }), log: Self.quiet) { _ in }
        do {
            try await second.start(environment: [:])
            Issue.record("started")
        } catch { #expect("\(error)".contains("in use") && "\(error)".contains("\(server.port)")) }
        await server.stop()
    }
}

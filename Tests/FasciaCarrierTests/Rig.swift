import FasciaLink
import FasciaPairing
import FasciaTLS
import FasciaTrust
import FasciaWire
import Foundation
import Logging
import Testing

@testable import FasciaCarrier

/// A phone and a head unit with state directories of their own, on loopback.
final class Rig: Sendable {
    let path: String
    let phone: Identity
    let car: Identity
    let phoneTrust: TrustStore
    let carTrust: TrustStore
    let lockout: PairingLockoutFile
    let dialer: LinkDialer
    let listener: LinkListener
    let address: CarrierAddress
    let events: EventLog

    static let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    static let code = "123456"

    init(
        paired: Bool = true, code: String? = Rig.code, handshakeTimeout: TimeoutMilliseconds = 5_000, host: String = "127.0.0.1",
        welcome: Welcome = Rig.welcome, onHello: (@Sendable (Hello, HelloReply) -> Void)? = nil
    ) async throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("fascia-carrier-\(UUID().uuidString)").path
        let phoneDirectory = try StateDirectory(path: path + "/phone")
        let carDirectory = try StateDirectory(path: path + "/car")
        phone = try Identity.loadOrCreate(in: phoneDirectory)
        car = try Identity.loadOrCreate(in: carDirectory)
        phoneTrust = try TrustStore(phoneDirectory)
        carTrust = try TrustStore(carDirectory)
        lockout = try PairingLockoutFile(in: carDirectory)
        if paired {
            try phoneTrust.add(TrustedPeer(name: "Volvo 240", fingerprint: car.fingerprint, pairedAt: 0))
            try carTrust.add(TrustedPeer(name: "Ida’s phone", fingerprint: phone.fingerprint, pairedAt: 0))
        }
        let timeouts = CarrierTimeouts(handshake: .milliseconds(handshakeTimeout))
        let policy = PairingPolicy(code: code.flatMap { PairingCode($0) }, name: "Volvo 240", lockout: lockout)
        dialer = try LinkDialer(identity: phone, trust: phoneTrust, log: Self.log)
        listener = try LinkListener(identity: car, trust: carTrust, pairing: policy, log: Self.log, timeouts: timeouts)
        address = CarrierAddress(host: host, port: try await listener.start(host: host, port: 0))
        events = EventLog()
        let (listener, events) = (listener, events)
        Task {
            for await event in listener.events {
                if case .helloReceived(let hello, _, let reply) = event {
                    if let onHello { onHello(hello, reply) } else { reply.accept(welcome) }
                }
                events.append(event)
            }
        }
    }

    deinit {
        listener.stop()
        try? FileManager.default.removeItem(atPath: path)
    }

    typealias TimeoutMilliseconds = Int64

    static let welcome = Welcome.with {
        $0.name = "Volvo 240"
        $0.screens = [Screen.with { $0.channel = 16; $0.width = 800; $0.height = 480; $0.scale = 2 }]
        $0.sessionID = Data(repeating: 1, count: 16)
        $0.resumeToken = Data(repeating: 2, count: 32)
    }

    static let hello = Hello.with { $0.name = "Ida’s phone"; $0.software = "test" }

    func connect(expecting: Fingerprint? = nil, liveness: Liveness = Liveness()) async throws -> (phone: LinkSession, car: LinkSession) {
        var hello = Self.hello
        if liveness != Liveness() { hello.liveness = liveness }
        async let car = events.session()
        let phone = try await dialer.connect(to: address, expecting: expecting, hello: hello)
        return (phone, try #require(await car))
    }

    func pair(_ code: String = Rig.code) async throws(CarrierError) -> PairedPeer {
        try await dialer.pair(with: address, code: { code }, name: "Ida’s phone")
    }
}

/// A listener's events, each given once to who waits for one of its kind.
final class EventLog: Sendable {
    private let stream: AsyncStream<ListenerEvent>
    private let sink: AsyncStream<ListenerEvent>.Continuation

    init() { (stream, sink) = AsyncStream.makeStream() }

    func append(_ event: ListenerEvent) { sink.yield(event) }

    /// The first event, from now on, of which `pick` makes something.
    func first<Value>(_ pick: (ListenerEvent) -> Value?) async -> Value? {
        for await event in stream {
            if let value = pick(event) { return value }
        }
        return nil
    }

    func session() async -> LinkSession? { await first { if case .session(let session) = $0 { session } else { nil } } }

    func rejection() async -> CarrierError? { await first { if case .rejected(_, let error) = $0 { error } else { nil } } }

    func pairingFailure() async -> (CarrierError, lockedFor: UInt64?)? {
        await first { if case .pairingFailed(let error, _, let lock) = $0 { (error, lock) } else { nil } }
    }
}

extension LinkSession {
    /// The next message, or how the session ended instead.
    func nextMessage() async -> (channel: UInt16, type: UInt16, body: [UInt8])? {
        for await event in events {
            if case .message(let channel, let type, let body) = event { return (channel, type, body) }
            if case .closed(let closure) = event { Issue.record("closed: \(closure)") }
        }
        return nil
    }

    func closure() async -> LinkClosure? {
        for await event in events {
            if case .closed(let closure) = event { return closure }
        }
        return nil
    }
}

func carrierError(_ body: () async throws -> some Any) async -> CarrierError? {
    do {
        _ = try await body()
        return nil
    } catch { return error as? CarrierError }
}

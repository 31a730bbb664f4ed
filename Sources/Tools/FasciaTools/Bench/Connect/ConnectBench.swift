import FasciaDiscovery
import FasciaEvents
import FasciaProcesses
import Foundation
import Logging

/// Runs the connections of `fascia bench connect`.
struct ConnectBench: Sendable {
    let app: String?

    /// Nanoseconds of the steps of one connection.
    private struct Run {
        var tcp, tls, negotiate, firstFrame, total: UInt64
    }

    func run(_ count: Int) async throws -> ConnectReport {
        let pair = try await BenchPair(app: app)
        defer { pair.end() }
        let yardstick = try await TLSFloor(mode: .full, in: pair.directory)
        defer { yardstick.end() }
        let discover = try await Self.discover(5)
        try await Self.pairUp(pair)

        var runs: [Run] = []
        var yardsticks: [UInt64] = []
        for _ in 0..<count {
            runs.append(try await Self.connect(pair))
            yardsticks.append(try await yardstick.measure().received)
        }
        guard let firstFrame = Percentiles(nanoseconds: runs.map(\.total)), let plain = Percentiles(nanoseconds: yardsticks) else {
            throw ToolError("nothing was measured")
        }
        var phases: [String: Percentiles] = [:]
        phases["discover"] = Percentiles(nanoseconds: discover)
        phases["tcp"] = Percentiles(nanoseconds: runs.map(\.tcp))
        phases["tls"] = Percentiles(nanoseconds: runs.map(\.tls))
        phases["negotiate"] = Percentiles(nanoseconds: runs.map(\.negotiate))
        phases["first_frame"] = Percentiles(nanoseconds: runs.map(\.firstFrame))
        return ConnectReport(runs: count, firstFrame: firstFrame, phases: phases, yardsticks: [.init(name: TLSFloor.name, p50: plain.p50)])
    }

    /// One phone process, from its start to its first frame on the screen, and its end.
    private static func connect(_ pair: BenchPair) async throws -> Run {
        let begin = MonotonicClock.now()
        let phone = try await pair.startPhone()
        defer { phone.end() }
        do {
            let start = try await pair.phoneEvents.next("connecting", after: begin, from: phone.name).time
            let tcp = try await pair.phoneEvents.next("tcp", after: start, from: phone.name).time
            let secured = try await pair.phoneEvents.next("secured", after: tcp, from: phone.name)
            guard secured["ticket"] != true else { throw ToolError("the handshake was shortened by a ticket; a full one was to be measured") }
            let negotiated = try await pair.phoneEvents.next("negotiated", after: secured.time, from: phone.name).time
            let presented = try await pair.headUnitEvents.next("first-frame", after: start, from: pair.headUnit.name).time
            try await end(phone, of: pair)
            guard presented >= negotiated else { throw ToolError("the head unit presented a frame before the phone was connected") }
            return Run(tcp: tcp - start, tls: secured.time - tcp, negotiate: negotiated - secured.time, firstFrame: presented - negotiated,
                       total: presented - start)
        } catch let error as ToolError {
            throw ToolError("\(error)\n\(phone.lastErrors())")
        }
    }

    /// A first phone process, which pairs.
    private static func pairUp(_ pair: BenchPair) async throws {
        let begin = MonotonicClock.now()
        let phone = try await pair.startPhone()
        defer { phone.end() }
        do {
            _ = try await pair.phoneEvents.next("paired", after: begin, from: phone.name)
            _ = try await pair.headUnitEvents.next("first-frame", after: begin, from: pair.headUnit.name)
            try await end(phone, of: pair)
        } catch let error as ToolError {
            throw ToolError("\(error)\n\(phone.lastErrors())")
        }
    }

    /// The end must have been noticed before the next phone comes.
    private static func end(_ phone: ChildProgram, of pair: BenchPair) async throws {
        let begin = MonotonicClock.now()
        phone.end()
        _ = try await pair.headUnitEvents.next("disconnected", "suspended", after: begin, from: pair.headUnit.name)
    }

    /// Times from the start of a browser to the car being resolved.
    private static func discover(_ count: Int) async throws -> [UInt64] {
        var logger = Logger(label: "fascia.discovery", factory: { StreamLogHandler.standardError(label: $0) })
        logger.logLevel = .critical
        var times: [UInt64] = []
        for _ in 0..<count {
            let browser = Browser(options: DiscoveryOptions(interface: "lo", backend: .embedded), logger: logger)
            let start = MonotonicClock.now()
            try browser.start()
            let deadline = Task {
                try await Task.sleep(for: .seconds(10))
                browser.stop()
            }
            var found = false
            for await case .found(let car) in browser.events where car.displayName == BenchPair.carName {
                times.append(MonotonicClock.now() - start)
                found = true
                break
            }
            deadline.cancel()
            browser.stop()
            guard found else { throw ToolError("the head unit was not discovered within 10 s on the loopback interface") }
        }
        return times
    }
}

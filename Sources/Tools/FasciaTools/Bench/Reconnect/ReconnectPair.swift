import FasciaEvents
import FasciaProcesses
import Foundation

/// A head unit and a phone, paired, whose processes may be killed and started again. Used by one task.
final class ReconnectPair {
    static let code = "271828"
    static let carName = "Fascia Bench"

    let path: BenchPath
    let directory: TemporaryDirectory
    let carEvents, phoneEvents: EventTail
    private(set) var car, phone: ChildProgram
    /// The head unit listens here.
    private(set) var port: Int
    private let options: Options

    struct Options: Sendable {
        var mode: HandshakeMode
        /// An app executable for the phone; nil takes RubberSoul when it is built.
        var app: String?
        /// Milliseconds after which the phone's screen changes by itself; nil: not.
        var tick: Int?
        /// The phone looks for the car by its name; else it is told the address.
        var discovers: Bool
    }

    /// Starts both, pairs them, and returns when the first frame is on the car's screen.
    init(_ path: BenchPath, _ options: Options) async throws {
        directory = try TemporaryDirectory()
        carEvents = try EventTail(path: directory.file("headunit.events"))
        phoneEvents = try EventTail(path: directory.file("phone.events"))
        (self.path, self.options) = (path, options)
        let begin = MonotonicClock.now()
        car = try await Self.startCar(path, options, directory, carEvents, port: 0)
        port = try await Self.port(of: car, carEvents, since: begin)
        phone = try await Self.startPhone(path, options, directory, phoneEvents, port)
        do {
            _ = try await carEvents.first("first-frame", since: begin, of: phone)
        } catch {
            throw ToolError("the phone did not get its first frame on the screen: \(error)\n\(phone.lastErrors())")
        }
        try await settle()
    }

    /// Tickets of the connection have come, the phone knows its frame presented, and nothing moves any more.
    func settle() async throws { try await Task.sleep(for: .milliseconds(60)) }

    func startCar(samePort: Bool) async throws {
        car = try await Self.startCar(path, options, directory, carEvents, port: samePort ? port : 0)
    }

    /// When the new head unit listened.
    func listening(since time: UInt64) async throws -> UInt64 {
        let event = try await carEvents.first("listening", since: time, of: car)
        port = Int(event["port"]?.integer ?? 0)
        return event.time
    }

    func startPhone() async throws { phone = try await Self.startPhone(path, options, directory, phoneEvents, port) }

    func end() {
        phone.end()
        car.end()
    }

    private static func startCar(_ path: BenchPath, _ options: Options, _ directory: TemporaryDirectory, _ events: EventTail, port: Int) async throws -> ChildProgram {
        try await path.start(Programs.path("fascia-headunit"), [
            "--headless", "--name", carName, "--listen", "\(path.carAddress):\(port)", "--state-dir", directory.file("car"), "--pairing-code", code,
            "--events", events.path,
        ] + (options.tick == nil ? [] : ["--tell-frames"]), on: .car, errors: directory.file("headunit.log"))
    }

    private static func startPhone(_ path: BenchPath, _ options: Options, _ directory: TemporaryDirectory, _ events: EventTail, _ port: Int) async throws -> ChildProgram {
        let app = options.app ?? (try? Programs.path("RubberSoul"))
        return try await path.start(Programs.path("fascia-phone"), [
            "run", options.discovers ? "--car" : "--connect", options.discovers ? carName : "\(path.carAddress):\(port)", "--code", code, "--name", "Bench Phone", "--state-dir", directory.file("phone"), "--events", events.path,
            "--tls", options.mode.rawValue,
        ] + (app.map { ["--app", $0] } ?? []) + (options.tick.map { ["--tick", "\($0)"] } ?? []), on: .phone, errors: directory.file("phone.log"))
    }

    private static func port(of car: ChildProgram, _ events: EventTail, since time: UInt64) async throws -> Int {
        Int(try await events.first("listening", since: time, of: car)["port"]?.integer ?? 0)
    }
}

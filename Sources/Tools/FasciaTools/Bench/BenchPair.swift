import FasciaProcesses
import Foundation

/// A headless head unit and what a phone needs to reach it, paired with each other, on loopback.
final class BenchPair: Sendable {
    static let code = "271828"
    static let carName = "Fascia Bench"
    /// mDNS of these processes stays on the loopback interface.
    static let environment = ["FASCIA_MDNS_INTERFACE": "lo", "FASCIA_MDNS_BACKEND": "embedded"]

    let directory: TemporaryDirectory
    let headUnit: ChildProgram
    let headUnitEvents: EventPipe
    let phoneEvents: EventPipe
    let port: Int
    var address: String { "127.0.0.1:\(port)" }
    private let phonePath: String
    private let app: String?
    private let phoneArguments: [String]

    /// - Parameters:
    ///   - app: an app executable for the phone; nil takes RubberSoul when it is built.
    ///   - carArguments: more for the head unit.
    ///   - phoneArguments: more for the phone.
    init(app: String?, carArguments: [String] = [], phoneArguments: [String] = []) async throws {
        let phonePath = try Programs.path("fascia-phone")
        let headUnitPath = try Programs.path("fascia-headunit")
        let directory = try TemporaryDirectory()
        let headUnitEvents = try EventPipe(path: directory.file("headunit.events"))
        phoneEvents = try EventPipe(path: directory.file("phone.events"))
        self.phoneArguments = phoneArguments
        self.app = app ?? (try? Programs.path("RubberSoul"))
        headUnit = try await ChildProgram(headUnitPath, [
            "--headless", "--name", Self.carName, "--listen", "127.0.0.1:0", "--state-dir", directory.file("car"), "--pairing-code", Self.code,
            "--events", headUnitEvents.path,
        ] + carArguments, environment: Self.environment, errors: .file(directory.file("headunit.log")))
        guard let port = try await headUnitEvents.next("listening", after: 0, from: "fascia-headunit")["port"]?.integer else {
            throw ToolError("fascia-headunit did not say its port: \(headUnit.lastErrors())")
        }
        self.port = Int(port)
        (self.phonePath, self.directory, self.headUnitEvents) = (phonePath, directory, headUnitEvents)
    }

    /// Starts a phone process that connects, and pairs first when it is the first one.
    /// - Parameter through: port of a proxy.
    func startPhone(through proxy: Int? = nil) async throws -> ChildProgram {
        try await ChildProgram(phonePath, [
            "run", "--connect", "127.0.0.1:\(proxy ?? port)", "--code", Self.code, "--name", "Bench Phone", "--state-dir", directory.file("phone"),
            "--events", phoneEvents.path,
        ] + phoneArguments + (app.map { ["--app", $0] } ?? []), environment: Self.environment, errors: .file(directory.file("phone.log")))
    }

    /// Ends both programs in order.
    func end() {
        headUnit.end()
    }
}

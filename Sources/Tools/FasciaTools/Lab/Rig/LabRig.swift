import FasciaEvents
import FasciaLab
import FasciaProcesses
import Foundation

/// A head unit on one host of a lab, a phone with two apps on the other, paired, with an app on the screen that changes
/// fifty times a second.
final class LabRig {
    static let code = "271828"
    static let carName = "Lab Car"
    static let tapped = "Tap Here"

    let lab: Lab
    let headUnit: ChildProgram
    let phone: ChildProgram
    let carEvents: EventFile
    let phoneEvents: EventFile
    private let directory: TemporaryDirectory

    /// The lab is up; the programs are found by mDNS.
    private init(lab: Lab, directory: TemporaryDirectory) async throws {
        (self.lab, self.directory) = (lab, directory)
        (carEvents, phoneEvents) = (EventFile(directory.file("car.jsonl")), EventFile(directory.file("phone.jsonl")))
        let car = try lab.command(on: .car, Programs.path("fascia-headunit"), [
            "--headless", "--name", Self.carName, "--listen", "0.0.0.0:0", "--state-dir", directory.file("car"), "--pairing-code", Self.code,
            "--events", carEvents.path, "--tell-frames",
        ])
        headUnit = try await ChildProgram(car.path, car.arguments, errors: .file(directory.file("headunit.log")))
        let handset = try lab.command(on: .phone, Programs.path("fascia-phone"), [
            "run", "--car", Self.carName, "--code", Self.code, "--name", "Lab Phone", "--state-dir", directory.file("phone"),
            "--events", phoneEvents.path, "--app", Programs.path("RubberSoul"), "--app", Programs.path("Ticker"),
        ])
        phone = try await ChildProgram(handset.path, handset.arguments, errors: .file(directory.file("phone.log")))
    }

    /// Runs `body` with both programs at work, and ends them and the lab.
    static func run<Value>(_ lab: Lab, _ body: (LabRig) async throws -> Value) async throws -> Value {
        let rig = try await LabRig(lab: lab, directory: TemporaryDirectory())
        defer {
            rig.phone.end()
            rig.headUnit.end()
        }
        do {
            try await rig.openApps()
            return try await body(rig)
        } catch let error as ToolError {
            throw ToolError("\(error)\n\(rig.phone.lastErrors())")
        }
    }

    /// First the app that has much to send, then the one that changes; the scenes of both are connected from then on.
    private func openApps() async throws {
        try await headUnit.ask("wait \"Rubber Soul\" 40", within: .seconds(45))
        try await headUnit.ask("tap \"Rubber Soul\"")
        try await headUnit.ask("wait \"Recently Played\" 30", within: .seconds(35))
        try await headUnit.ask("key home")
        try await headUnit.ask("wait \"Ticker\" 10")
        try await headUnit.ask("tap \"Ticker\"")
        try await headUnit.ask("wait \"\(Self.tapped)\" 30", within: .seconds(35))
        try await headUnit.ask("sleep 1") // the last animation
    }

    func readEvents() {
        carEvents.read()
        phoneEvents.read()
    }

    /// Processor time of the phone and of the head unit since they started, seconds.
    func processorSeconds() -> (phone: Double, car: Double) { (Self.processorSeconds(phone.pid), Self.processorSeconds(headUnit.pid)) }

    /// Fields 14 and 15 of `/proc/PID/stat`, user and system, clock ticks.
    private static func processorSeconds(_ pid: Int32) -> Double {
        guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8), let close = text.lastIndex(of: ")") else { return 0 }
        let fields = text[close...].split(separator: " ")
        guard fields.count > 13, let user = Double(fields[12]), let system = Double(fields[13]) else { return 0 }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}

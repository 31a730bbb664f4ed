import FasciaProcesses
import Foundation

/// A head unit and a phone on one machine, with state of their own in a directory that goes when the test ends.
final class TestBench {
    let directory: URL
    private(set) var headUnit: ChildProgram?
    private(set) var phone: ChildProgram?
    fileprivate(set) var listening: String?
    static let carName = "Test Car"
    static let code = "135790"
    /// Where the programs of the package lie.
    static let programs = Bundle.main.bundleURL
    static func program(_ name: String) -> String { name.hasPrefix("/") ? name : programs.appendingPathComponent(name).path }

    init() throws {
        directory = FileManager.default.temporaryDirectory.appendingPathComponent("fascia-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    deinit {
        phone?.signal(SIGTERM)
        headUnit?.signal(SIGTERM)
        try? FileManager.default.removeItem(at: directory)
    }

    func path(_ name: String) -> String { directory.appendingPathComponent(name).path }

    /// - Parameter launcher: a command that runs the program, such as `unshare`.
    @discardableResult
    func startHeadUnit(
        _ extra: [String] = [], events: String? = nil, display: String? = nil, environment: [String: String] = [:], launcher: [String] = []
    ) async throws -> ChildProgram {
        let command = launcher + [TestBench.program("fascia-headunit")] + (display == nil ? ["--headless"] : []) + [
            "--name", Self.carName, "--state-dir", path("car"), "--pairing-code", Self.code, "--events", events ?? path("car.jsonl"),
        ] + extra
        let process = try await ChildProgram(command[0], Array(command.dropFirst()), environment: environment.merging(display.map { ["DISPLAY": $0] } ?? [:]) { first, _ in first })
        headUnit = process
        return process
    }

    @discardableResult
    func startPhone(_ extra: [String], code: String? = TestBench.code, environment: [String: String] = [:], launcher: [String] = []) async throws -> ChildProgram {
        let command = launcher + [TestBench.program("fascia-phone"), "run"] + (code.map { ["--code", $0] } ?? []) + [
            "--state-dir", path("phone"), "--events", path("phone.jsonl"),
            "--app", TestBench.programs.appendingPathComponent("RubberSoul").path,
        ] + extra
        let process = try await ChildProgram(command[0], Array(command.dropFirst()), environment: environment)
        phone = process
        return process
    }

    /// Runs a console command and returns the answer after `ok`; throws on `error`.
    @discardableResult
    func console(_ command: String, within limit: Duration = .seconds(40)) async throws -> String {
        guard let headUnit else { throw ToolError("no head unit") }
        headUnit.say(command)
        let answer = try await headUnit.line(within: limit) { $0 == "ok" || $0.hasPrefix("ok ") || $0.hasPrefix("error") }
        guard answer.hasPrefix("ok") else {
            throw ToolError("\(command): \(answer)\n--- phone\n\(phone?.transcript ?? "")")
        }
        return String(answer.dropFirst(3))
    }

    /// Runs commands one after another; throws at the first error.
    func console(each commands: String...) async throws {
        for command in commands { try await console(command) }
    }

    /// As ``events(_:)``, once they are as wanted, or half a minute later: what is on the screen may not be in the file yet.
    func events(_ file: String, until isWanted: ([String]) -> Bool) async throws -> [String] {
        for _ in 0..<600 {
            let seen = events(file)
            if isWanted(seen) { return seen }
            try await Task.sleep(for: .milliseconds(50))
        }
        return events(file)
    }

    /// Names of the events in an event file, in order.
    func events(_ file: String) -> [String] {
        guard let text = try? String(contentsOfFile: path(file), encoding: .utf8) else { return [] }
        return text.split(separator: "\n").compactMap { line in
            (try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["event"] as? String
        }
    }
}

extension TestBench {
    /// `host:port` the head unit listens on.
    var address: String { listening ?? "127.0.0.1:0" }

    /// - Parameter display: X display to open a window on; headless without.
    func startHeadUnitDirectly(
        _ extra: [String] = [], events: String? = nil, display: String? = nil, environment: [String: String] = [:], launcher: [String] = []
    ) async throws {
        let process = try await startHeadUnit(
            ["--no-discovery", "--listen", "127.0.0.1:0"] + extra, events: events, display: display, environment: environment, launcher: launcher)
        let line = try await process.line { $0.hasPrefix("listening 127.0.0.1:") }
        listening = String(line.dropFirst("listening ".count))
    }

    /// Head unit, phone and app, connected by address, with the app's first screen shown.
    func openAppDirectly(display: String? = nil) async throws {
        try await startHeadUnitDirectly(display: display)
        try await startPhone(["--connect", address])
        try await console("wait \"Rubber Soul\" 30")
        try await console("tap \"Rubber Soul\"")
        try await console("wait \"Recently Played\" 30")
        _ = try await require(phone: "scene-connected")
    }

    /// Asks for the tree until it holds `text`: input is answered before the phone has acted on it.
    func waitForTree(_ text: String) async throws {
        for _ in 0..<600 {
            if try await console("tree").contains(text) { return }
            try await console("sleep 0.05")
        }
        throw ToolError("the tree never held \(text)")
    }

    /// Taps; again while the phone is between two connections, as a finger would.
    func tapOnceConnected(_ label: String) async throws {
        for attempt in 1...50 {
            do {
                try await console("tap \"\(label)\"")
                return
            } catch let error as ToolError where attempt < 50 && error.description.contains("waited for") {
                try await console("sleep 0.1")
            }
        }
    }

    func require(phone event: String) async throws -> String { try await require(event, of: phone) }
    func require(car event: String) async throws -> String { try await require(event, of: headUnit) }

    private func require(_ event: String, of process: ChildProgram?) async throws -> String {
        guard let process else { throw ToolError("not started") }
        return try await process.anyLine { $0.hasPrefix(event + " ") || $0 == event }
    }

    /// The first record of an event.
    func record(_ event: String, in file: String) -> [String: Any]? {
        records(event, in: file).first
    }

    /// All records of an event, in order.
    func records(_ event: String, in file: String) -> [[String: Any]] {
        guard let text = try? String(contentsOfFile: path(file), encoding: .utf8) else { return [] }
        return text.split(separator: "\n").compactMap { try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }.filter { $0["event"] as? String == event }
    }

    /// A program of the package under another name.
    func makeApp(named name: String, of program: String) throws -> String {
        let path = try makeApp(named: name, script: "")
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: TestBench.program(program))
        let plist = self.path("\(name).resources/Info.plist")
        let text = try String(contentsOfFile: plist, encoding: .utf8).replacingOccurrences(of: "$(PRODUCT_MODULE_NAME)", with: program)
            .replacingOccurrences(of: "\(name).CarPlaySceneDelegate", with: "\(program).CarPlaySceneDelegate")
        try text.write(toFile: plist, atomically: true, encoding: .utf8)
        return path
    }

    /// An app that is a shell script, with the property lists of a real one.
    func makeApp(named name: String, script: String) throws -> String {
        let executable = path(name)
        _ = FileManager.default.createFile(atPath: executable, contents: Data("#!/bin/bash\n\(script)\n".utf8), attributes: [.posixPermissions: 0o755])
        let resources = path("\(name).resources")
        try FileManager.default.createDirectory(atPath: resources, withIntermediateDirectories: true)
        let sample = TestBench.programs.appendingPathComponent("Fascia_RubberSoul.resources/RubberSoul.app").path
        for file in ["Info.plist", "Entitlements.plist"] {
            let text = try String(contentsOfFile: "\(sample)/\(file)", encoding: .utf8)
                .replacingOccurrences(of: "Rubber Soul", with: name).replacingOccurrences(of: "RubberSoul", with: name)
            try text.write(toFile: "\(resources)/\(file)", atomically: true, encoding: .utf8)
        }
        return executable
    }
}

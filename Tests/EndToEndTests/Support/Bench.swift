import Foundation

/// A head unit and a phone on one machine, with state of their own in a directory that goes when the test ends.
final class TestBench {
    let directory: URL
    private(set) var headUnit: ChildProcess?
    private(set) var phone: ChildProcess?
    static let carName = "Test Car"
    static let code = "135790"

    init() throws {
        directory = FileManager.default.temporaryDirectory.appendingPathComponent("fascia-test-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    }

    deinit {
        phone?.terminate()
        headUnit?.terminate()
        try? FileManager.default.removeItem(at: directory)
    }

    func path(_ name: String) -> String { directory.appendingPathComponent(name).path }

    @discardableResult
    func startHeadUnit(_ extra: [String] = []) throws -> ChildProcess {
        let process = try ChildProcess("fascia-headunit", [
            "--name", Self.carName, "--headless", "--state-dir", path("car"), "--pairing-code", Self.code, "--events", path("car.jsonl"),
        ] + extra)
        headUnit = process
        return process
    }

    @discardableResult
    func startPhone(_ extra: [String]) throws -> ChildProcess {
        let process = try ChildProcess("fascia-phone", [
            "run", "--code", Self.code, "--state-dir", path("phone"), "--events", path("phone.jsonl"),
            "--app", ChildProcess.programs.appendingPathComponent("RubberSoul").path,
        ] + extra)
        phone = process
        return process
    }

    /// Runs a console command and returns the answer after `ok`; throws on `error`.
    @discardableResult
    func console(_ command: String, within limit: Duration = .seconds(40)) async throws -> String {
        guard let headUnit else { throw ChildProcess.Failure(description: "no head unit") }
        headUnit.write(command)
        let answer = try await headUnit.line(within: limit) { $0 == "ok" || $0.hasPrefix("ok ") || $0.hasPrefix("error") }
        guard answer.hasPrefix("ok") else {
            throw ChildProcess.Failure(description: "\(command): \(answer)\n--- phone\n\(phone?.transcript ?? "")")
        }
        return String(answer.dropFirst(3))
    }

    /// Names of the events in an event file, in order.
    func events(_ file: String) -> [String] {
        guard let text = try? String(contentsOfFile: path(file), encoding: .utf8) else { return [] }
        return text.split(separator: "\n").compactMap { line in
            (try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["event"] as? String
        }
    }
}

import FasciaProcesses
import Foundation
import FuzzCore

/// Where the fuzzers are built and keep what they find.
struct Workshop: Sendable {
    let package: String
    /// Says how it goes.
    let note: @Sendable (String) -> Void
    var folder: String { package + "/.build/fuzz" }
    var findings: String { folder + "/findings" }

    init(note: @escaping @Sendable (String) -> Void = say) throws {
        package = try PackageFolder.find().path
        self.note = note
        try FileManager.default.createDirectory(atPath: findings, withIntermediateDirectories: true)
    }

    /// The corpus in the repository.
    func corpus(_ target: FuzzTarget) -> String { "\(package)/Fixtures/fuzz/\(target.name)" }
    func dictionary(_ target: FuzzTarget) -> String? {
        let path = "\(package)/Fixtures/fuzz/\(target.name).dict"
        return FileManager.default.fileExists(atPath: path) ? path : nil
    }

    /// New inputs.
    func newInputs(_ target: FuzzTarget) throws -> String {
        let path = "\(folder)/corpus/\(target.name)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    func isCore(_ target: FuzzTarget) -> Bool { FuzzTarget.core.contains { $0.name == target.name } }

    /// Builds a product of `Tests/Fuzz`. Waits while another process builds there.
    /// - Returns: the program, and what the build said when it failed.
    func build(_ product: String, scratch: String, flags: [String]) async throws -> (path: String, failure: String?) {
        let scratchPath = "\(folder)/\(scratch)"
        try FileManager.default.createDirectory(atPath: scratchPath, withIntermediateDirectories: true)
        let lock = try await BuildLock.take("\(scratchPath).lock") { process in
            note("\(product): process \(process.map { "\($0)" } ?? "?") builds in \(scratchPath), waiting for its end")
        }
        defer { withExtendedLifetime(lock) {} }
        note("building \(product)")
        let end = ContinuousClock.now + .seconds(3_600)
        while true {
            let build = try await ChildProgram("/usr/bin/env", [
                "swift", "build", "--package-path", "\(package)/Tests/Fuzz", "--scratch-path", scratchPath, "-c", "release", "--product", product,
            ] + flags)
            build.closeInput()
            // Someone may build there without this tool: SwiftPM waits too, if it notices.
            while let line = try? await build.line(within: .seconds(3_600), where: { $0.contains("Another instance of SwiftPM") }) { note("\(product): \(line)") }
            let status = try await build.exitStatus(within: .seconds(3_600))
            if status != 0, build.transcript.contains("database is locked"), ContinuousClock.now < end {
                note("\(product): something else builds in \(scratchPath) (its database is locked), trying again in 5 s")
                try await Task.sleep(for: .seconds(5))
                continue
            }
            return ("\(scratchPath)/release/\(product)", status == 0 ? nil : build.transcript.split(separator: "\n").suffix(8).joined(separator: "\n"))
        }
    }

    static let sanitizerFlags = ["--sanitize=fuzzer", "-Xswiftc", "-sanitize=fuzzer,address"]

    /// libFuzzer for a target, or why it cannot be built.
    func fuzzer(for target: FuzzTarget) async throws -> Result<SanitizedFuzzer, ToolError> {
        // This order of flags: others build fuzzers without counters, which find nothing and exit 0.
        let (path, failure) = try await build(isCore(target) ? "fuzz-core" : "fuzz-system", scratch: "build", flags: Self.sanitizerFlags)
        return if let failure { .failure(ToolError(failure)) } else { .success(SanitizedFuzzer(self, program: path)) }
    }
}

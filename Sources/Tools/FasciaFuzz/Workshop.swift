import FasciaProcesses
import Foundation
import FuzzCore

/// Where the fuzzers are built and keep what they find.
struct Workshop {
    let package: String
    var folder: String { package + "/.build/fuzz" }
    var findings: String { folder + "/findings" }

    init() throws {
        package = try PackageFolder.find().path
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

    /// Builds a product of `Tests/Fuzz`.
    /// - Returns: the program, and what the build said when it failed.
    func build(_ product: String, scratch: String, flags: [String]) async throws -> (path: String, failure: String?) {
        let scratchPath = "\(folder)/\(scratch)"
        say("building \(product)")
        let build = try await ChildProgram("/usr/bin/env", [
            "swift", "build", "--package-path", "\(package)/Tests/Fuzz", "--scratch-path", scratchPath, "-c", "release", "--product", product,
        ] + flags)
        build.closeInput()
        let status = try await build.exitStatus(within: .seconds(3_600))
        return ("\(scratchPath)/release/\(product)", status == 0 ? nil : build.transcript.split(separator: "\n").suffix(8).joined(separator: "\n"))
    }

    /// libFuzzer for a target; nil, and a word about it, where it cannot be built.
    func fuzzer(for target: FuzzTarget) async throws -> SanitizedFuzzer? {
        // This order of flags: others build fuzzers without counters, which find nothing and exit 0.
        let (path, failure) = try await build(isCore(target) ? "fuzz-core" : "fuzz-system", scratch: "build",
                                              flags: ["--sanitize=fuzzer", "-Xswiftc", "-sanitize=fuzzer,address"])
        guard let failure else { return SanitizedFuzzer(self, program: path) }
        say("no sanitizer build here, the tool's own fuzzer runs instead:\n\(failure)")
        return nil
    }
}

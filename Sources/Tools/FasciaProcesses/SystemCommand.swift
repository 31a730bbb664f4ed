import Subprocess
import SystemPackage

/// A program of the system, run to its end.
public enum SystemCommand {
    /// - Parameter program: found by PATH unless it is a path.
    /// - Returns: exit status, negative for a signal, and what it printed on both streams; more than 1 MiB is an error.
    public static func run(_ program: String, _ arguments: [String]) async throws -> (status: Int32, output: String) {
        do {
            let result = try await Subprocess.run(
                program.contains("/") ? .path(FilePath(program)) : .name(program), arguments: Arguments(arguments), input: .none, output: .string(limit: 1 << 20), error: .combinedWithOutput)
            let status: Int32 = switch result.terminationStatus {
            case .exited(let code): code
            case .signaled(let number): -number
            }
            return (status, result.standardOutput)
        } catch {
            throw ToolError("\(program) cannot be run: \(error)")
        }
    }
}

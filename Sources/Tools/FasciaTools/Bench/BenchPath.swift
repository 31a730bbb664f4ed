import FasciaLab
import FasciaProcesses

/// Where the two processes of a measurement are, and what lies between them.
enum BenchPath: Sendable {
    enum Host: Sendable { case car, phone }

    /// This machine's loopback interface.
    case loopback
    /// Two network namespaces, joined by the emulated link.
    case lab(Lab)

    var carAddress: String {
        switch self {
        case .loopback: "127.0.0.1"
        case .lab: Lab.address(of: .car)
        }
    }

    /// mDNS of these processes stays on the path.
    var environment: [String: String] {
        switch self {
        case .loopback: ["FASCIA_MDNS_INTERFACE": "lo", "FASCIA_MDNS_BACKEND": "embedded"]
        case .lab: ["FASCIA_MDNS_INTERFACE": Lab.interface, "FASCIA_MDNS_BACKEND": "daemon"]
        }
    }

    func start(_ program: String, _ arguments: [String], on host: Host, errors: String) async throws -> ChildProgram {
        switch self {
        case .loopback: return try await ChildProgram(program, arguments, environment: environment, errors: .file(errors))
        case .lab(let lab):
            let command = try lab.command(on: host == .car ? .car : .phone, program, arguments)
            return try await ChildProgram(command.path, command.arguments, environment: environment, errors: .file(errors))
        }
    }
}

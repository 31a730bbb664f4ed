import ArgumentParser
import FasciaEvents
import FasciaProcesses
import FasciaTLS
import Foundation

/// A minimal OpenSSL client here and a minimal server in a process of its own: TCP connect, mutual TLS 1.3 handshake, one
/// write of the client, read by the server.
final class TLSYardstick: Sendable {
    static let name = "OpenSSL client and server, two processes: TCP, mutual TLS 1.3, one write"
    /// What the client writes: about a Hello and a small commit.
    static let payloadBytes = 1_000

    private let server: ChildProgram
    private let port: UInt16
    private let pem: String

    init(in directory: TemporaryDirectory) async throws {
        pem = directory.file("yardstick.pem")
        guard FileManager.default.createFile(atPath: pem, contents: Data(try Identity.generate().pem()), attributes: [.posixPermissions: 0o600]) else {
            throw ToolError("cannot write \(pem)")
        }
        server = try await ChildProgram(Programs.own(), ["bench", "tls-server", pem], errors: .file(directory.file("yardstick.log")))
        let port = UInt16(try await server.line(within: .seconds(10)) { UInt16($0) != nil }) ?? 0
        self.port = port
    }

    deinit { server.end() }

    /// One connection.
    /// - Returns: nanoseconds from before connect until the server had read everything.
    func measure() throws -> UInt64 {
        let tls = try PlainTLS(.client, pem: pem)
        let start = MonotonicClock.now()
        let descriptor = try LoopbackSocket.connect(port: port)
        defer { close(descriptor) }
        let answer = try tls.handshake(descriptor) { connection in
            try PlainTLS.write(connection, [UInt8](repeating: 7, count: Self.payloadBytes))
            return try PlainTLS.read(connection, count: 8)
        }
        let end = answer.reduce(0) { $0 << 8 | UInt64($1) } // the server's clock, which is this machine's
        return end - start
    }
}

/// `fascia bench tls-server PEM`: prints its port and serves until it is ended.
struct TLSServerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "tls-server", abstract: "The other end of a yardstick.", shouldDisplay: false)
    @Argument var pem: String

    func run() throws {
        let tls = try PlainTLS(.server, pem: pem)
        let (listener, port) = try LoopbackSocket.listen()
        Output.line("\(port)")
        while true {
            let descriptor = try LoopbackSocket.accept(listener)
            defer { close(descriptor) }
            do {
                try tls.handshake(descriptor) { connection in
                    _ = try PlainTLS.read(connection, count: TLSYardstick.payloadBytes)
                    let now = MonotonicClock.now()
                    try PlainTLS.write(connection, (0..<8).map { UInt8(truncatingIfNeeded: now >> (56 - 8 * UInt64($0))) })
                }
            } catch { Output.note("\(error)") }
        }
    }
}

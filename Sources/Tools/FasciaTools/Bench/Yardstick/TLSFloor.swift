import ArgumentParser
import FasciaEvents
import FasciaProcesses
import FasciaTLS
import Foundation

/// What the machine and the path allow: a minimal blocking OpenSSL client and a minimal server, two processes over the same path as
/// what is measured. TCP connect, mutual TLS 1.3 handshake in the same mode, one request of the client, read by the server.
final class TLSFloor: Sendable {
    static let name = "OpenSSL client and server, two processes: TCP, mutual TLS 1.3, one write"
    /// What the client writes: about a Hello and a small commit.
    static let payloadBytes = 1_000

    struct Sample: Sendable {
        /// Nanoseconds from before `connect` until the server had read the whole request.
        let received: UInt64
        /// Nanoseconds from before `connect` until the client had read the answer.
        let answered: UInt64
        let mode: HandshakeMode
    }

    private let server, client: ChildProgram

    init(mode: HandshakeMode, path: BenchPath = .loopback, in directory: TemporaryDirectory) async throws {
        let pem = directory.file("floor-\(mode.rawValue).pem")
        guard FileManager.default.createFile(atPath: pem, contents: Data(try Identity.generate().pem()), attributes: [.posixPermissions: 0o600]) else {
            throw ToolError("cannot write \(pem)")
        }
        func program(_ arguments: [String], on host: BenchPath.Host) async throws -> ChildProgram {
            try await path.start(Programs.own(), ["bench"] + arguments, on: host, errors: directory.file("floor-\(arguments[0]).log"))
        }
        server = try await program(["tls-server", mode.rawValue, pem, "--host", path.carAddress], on: .car)
        guard let port = UInt16(try await server.line(within: .seconds(10)) { _ in true }) else {
            throw ToolError("the floor's server did not say its port: \(server.lastErrors())")
        }
        client = try await program(["tls-client", mode.rawValue, pem, "\(path.carAddress)", "\(port)"], on: .phone)
        _ = try await measure() // the ticket for the next one
    }

    deinit {
        client.end()
        server.end()
    }

    /// One connection.
    func measure() async throws -> Sample {
        let words = try await client.ask("measure", within: .seconds(30)).split(separator: " ")
        guard words.count == 3, let received = UInt64(words[0]), let answered = UInt64(words[1]), let mode = HandshakeMode(rawValue: String(words[2])) else {
            throw ToolError("the floor's client answered \(words)")
        }
        return Sample(received: received, answered: answered, mode: mode)
    }

    func end() {
        client.end()
        server.end()
    }
}

/// `fascia bench tls-client MODE PEM HOST PORT`: makes a connection for each line on standard input.
struct TLSClientCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "tls-client", abstract: "One end of a yardstick.", shouldDisplay: false)
    @Argument var mode: HandshakeMode
    @Argument var pem: String
    @Argument var host: String
    @Argument var port: UInt16

    func run() throws {
        let tls = try PlainTLS(.client, mode: mode, pem: pem)
        let payload = [UInt8](repeating: 7, count: TLSFloor.payloadBytes)
        while readLine() != nil {
            do {
                let start = MonotonicClock.now()
                let descriptor = try BlockingSocket.connect(host: host, port: port)
                defer { close(descriptor) }
                let (received, kind) = try tls.request(payload, on: descriptor) // on the server's clock, which is this machine's
                Output.line("ok \(received - start) \(MonotonicClock.now() - start) \(kind.rawValue)")
            } catch { Output.line("error \(error)") }
        }
    }
}

/// `fascia bench tls-server MODE PEM`: prints its port and serves until it is ended.
struct TLSServerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "tls-server", abstract: "The other end of a yardstick.", shouldDisplay: false)
    @Argument var mode: HandshakeMode
    @Argument var pem: String
    @Option var host = "127.0.0.1"

    func run() throws {
        let tls = try PlainTLS(.server, mode: mode, pem: pem)
        let (listener, port) = try BlockingSocket.listen(host: host)
        Output.line("\(port)")
        while true {
            let descriptor = try BlockingSocket.accept(listener)
            defer { close(descriptor) }
            do { try tls.serve(TLSFloor.payloadBytes, on: descriptor) { MonotonicClock.now() } } catch { Output.note("\(error)") }
        }
    }
}

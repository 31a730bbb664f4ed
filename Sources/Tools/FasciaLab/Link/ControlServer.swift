import CLabSystem
import Foundation

/// What the link says to a line of its control socket.
enum ControlAnswer {
    case ok
    case json(any Encodable & Sendable)
    case error(String)
    case status
    case enter(LabHost)
    case quit
}

/// The control socket: lines in, one line back for each, in order. Reading happens on the link's thread; answers are
/// written elsewhere, because encoding one takes longer than a packet may wait.
final class ControlServer: @unchecked Sendable { // `lines` belongs to the link's thread, the rest does not change
    private let listener: Int32
    private let networks: [LabHost: Int32]
    private let status: @Sendable () -> any Encodable & Sendable
    private let quit: @Sendable () -> Void
    private let answers = DispatchQueue(label: "fascia.lab.answers")
    private var lines: [Int32: [UInt8]] = [:]

    private static let longestLine = 1024
    private static let mostClients = 32

    /// - Parameters:
    ///   - networks: what `enter` hands out.
    init(path: String, networks: [LabHost: Int32], status: @escaping @Sendable () -> any Encodable & Sendable,
         quit: @escaping @Sendable () -> Void) throws(LabError) {
        listener = try UnixSocket.listen(at: path)
        (self.networks, self.status, self.quit) = (networks, status, quit)
    }

    var descriptors: [Int32] { [listener] + lines.keys }

    func ready(_ descriptor: Int32, answer: (Substring) -> ControlAnswer) {
        guard descriptor != listener else { return accept() }
        var buffer = [UInt8](repeating: 0, count: Self.longestLine)
        let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        if count < 0, errno == EAGAIN || errno == EINTR { return }
        guard count > 0 else { return forget(descriptor) }
        var pending = (lines[descriptor] ?? []) + buffer[..<count]
        while let end = pending.firstIndex(of: UInt8(ascii: "\n")) {
            let line = String(decoding: pending[..<end], as: UTF8.self)
            pending.removeSubrange(...end)
            say(answer(line[...]), to: descriptor)
        }
        guard pending.count <= Self.longestLine else { return forget(descriptor) }
        lines[descriptor] = pending
    }

    private func accept() {
        let client = fascia_accept(listener)
        guard client >= 0 else { return }
        guard lines.count < Self.mostClients else {
            close(client)
            return
        }
        var limit = timeval(tv_sec: 1, tv_usec: 0)
        setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        lines[client] = []
    }

    private func forget(_ descriptor: Int32) {
        lines[descriptor] = nil
        answers.async { close(descriptor) } // behind what is still to be said on it
    }

    private func say(_ answer: ControlAnswer, to client: Int32) {
        answers.async { [networks, status, quit] in
            switch answer {
            case .ok: Self.write("ok", to: client)
            case .json(let value): Self.write("ok " + Self.json(value), to: client)
            case .error(let reason): Self.write("error " + reason, to: client)
            case .status: Self.write("ok " + Self.json(status()), to: client)
            case .enter(let host): _ = fascia_send_descriptor(client, "ok\n", 3, networks[host] ?? -1)
            case .quit:
                Self.write("ok", to: client)
                quit()
            }
        }
    }

    private static func json(_ value: any Encodable) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(value)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }

    private static func write(_ line: String, to client: Int32) {
        var rest = Array((line + "\n").utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}

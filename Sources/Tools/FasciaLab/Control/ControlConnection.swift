import CLabSystem
import Foundation
import Synchronization

/// A connection to a link's control socket. Any thread may ask; answers come in well under a millisecond.
final class ControlConnection: Sendable {
    private let socket: Mutex<Int32>

    /// Nil when no link listens there.
    init?(path: String) {
        guard let descriptor = UnixSocket.connect(to: path) else { return nil }
        var limit = timeval(tv_sec: 5, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        socket = Mutex(descriptor)
    }

    deinit { _ = socket.withLock { close($0) } }

    /// Says a line and returns the rest of the "ok" answer.
    func ask(_ line: String) throws(LabError) -> String {
        let (answer, descriptor) = try exchange(line)
        if descriptor >= 0 { close(descriptor) }
        return answer
    }

    /// A descriptor of a host's network namespace; the caller closes it.
    func network(of host: LabHost) throws(LabError) -> Int32 {
        let (_, descriptor) = try exchange("enter \(host.rawValue)")
        guard descriptor >= 0 else { throw LabError(.failed, "the link handed out no namespace of the \(host.rawValue)") }
        return descriptor
    }

    private func exchange(_ line: String) throws(LabError) -> (String, Int32) {
        let result = socket.withLock { socket -> Result<(String, Int32), LabError> in
            let question = Array((line + "\n").utf8)
            guard send(socket, question, question.count, Int32(MSG_NOSIGNAL)) == question.count else { return .failure(Self.lost()) }
            var answer: [UInt8] = [], descriptor: Int32 = -1
            var buffer = [UInt8](repeating: 0, count: 16_384)
            while answer.last != UInt8(ascii: "\n") {
                var received: Int32 = -1
                let count = fascia_receive_descriptor(socket, &buffer, buffer.count, &received)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return .failure(Self.lost()) }
                if received >= 0 { descriptor = received }
                answer += buffer[..<count]
            }
            return .success((String(decoding: answer.dropLast(), as: UTF8.self), descriptor))
        }
        let (answer, descriptor) = try result.get()
        if answer == "ok" { return ("", descriptor) }
        guard answer.hasPrefix("ok ") else {
            throw LabError(.refused, answer.hasPrefix("error ") ? String(answer.dropFirst(6)) : answer)
        }
        return (String(answer.dropFirst(3)), descriptor)
    }

    private static func lost() -> LabError { LabError(.notUp, "the link of the lab has ended; `fascia lab up` starts it again") }
}

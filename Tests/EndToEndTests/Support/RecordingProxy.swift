import FasciaProcesses
import Foundation
import Synchronization

/// A man in the middle that only listens: carries the bytes of TCP connections to a port of loopback and keeps what each client said
/// before the server's first byte.
final class RecordingProxy: Sendable {
    let port: Int
    private let listener: Int32
    private let recorded = Mutex<[Data]>([])

    /// First flights so far, one a connection.
    var flights: [Data] { recorded.withLock { $0 } }

    init(to target: Int) throws {
        let (descriptor, port) = try Socket.listen()
        (listener, self.port) = (descriptor, port)
        Thread.detachNewThread { [self] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                guard let server = try? Socket.connect(toLoopbackPort: target) else {
                    close(client)
                    continue
                }
                Thread.detachNewThread { [self] in carry(client, server) }
            }
        }
    }

    /// Takes no more connections.
    func end() { shutdown(listener, Int32(SHUT_RDWR)) }

    private func carry(_ client: Int32, _ server: Int32) {
        var polled = [client, server].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let number = recorded.withLock { all in
            all.append(Data())
            return all.count - 1
        }
        var hasAnswered = false
        defer {
            close(client)
            close(server)
        }
        while poll(&polled, 2, -1) > 0 || errno == EINTR {
            for (from, to) in [(0, server), (1, client)] where polled[from].revents != 0 {
                let count = read(polled[from].fd, &buffer, buffer.count)
                guard count > 0 else { return }
                if from == 1 { hasAnswered = true }
                if !hasAnswered { recorded.withLock { $0[number] += buffer[..<count] } }
                guard send(to, buffer, count, Int32(MSG_NOSIGNAL)) == count else { return }
            }
        }
    }
}

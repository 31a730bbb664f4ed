import FasciaProcesses
import Foundation
import Synchronization

/// A service manager's socket: the messages of one program, in order. They are read as they come: the kernel keeps ten, and who sends more does
/// not wait.
final class NotifySocket {
    /// The value of NOTIFY_SOCKET.
    let name: String
    private let inbox: Inbox
    /// Of the inbox, how many were waited for or came before.
    private var passed = 0

    /// Everything that came so far.
    var messages: [String] { inbox.messages.withLock(\.self) }

    init(in directory: String, abstract: Bool) throws {
        name = (abstract ? "@" : "") + "\(directory)/notify"
        inbox = Inbox(descriptor: socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(name.utf8)
        if abstract { bytes[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let bound = withUnsafePointer(to: address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(inbox.descriptor, $0, socklen_t(MemoryLayout<sa_family_t>.size + bytes.count)) }
        }
        guard bound == 0 else { throw ToolError("bind \(name): \(String(cString: strerror(errno)))") }
        Thread { [inbox] in inbox.read() }.start()
    }

    deinit { inbox.isOver.store(true, ordering: .relaxed) }

    /// Passes messages up to this one.
    func wait(for message: String, within limit: Duration = .seconds(30)) throws {
        let deadline = ContinuousClock.now + limit
        while true {
            let messages = messages
            if let found = messages[passed...].firstIndex(of: message) { return passed = found + 1 }
            guard ContinuousClock.now < deadline else { throw ToolError("no \(message) after \(messages[..<passed]): \(messages[passed...])") }
            usleep(5_000)
        }
    }
}

/// What the thread has that reads.
private final class Inbox: Sendable {
    let descriptor: Int32
    let messages = Mutex<[String]>([])
    let isOver = Atomic(false)

    init(descriptor: Int32) {
        self.descriptor = descriptor
        var look = timeval(tv_sec: 0, tv_usec: 100_000) // whether it is over
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &look, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    func read() {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while !isOver.load(ordering: .relaxed) {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count > 0 { messages.withLock { $0.append(String(decoding: buffer[0 ..< count], as: UTF8.self)) } }
        }
    }
}

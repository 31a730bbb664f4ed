import FasciaProcesses
import Foundation

/// A named pipe that programs write lines to (`--events`, the app's diary), read on the reactor as they come.
final class LinePipe {
    let path: String
    private let descriptor: Int32
    private let reactor: Reactor
    private var source: Reactor.Source?
    private var cutter = LineCutter()
    private let receive: (String) -> Void

    init(path: String, reactor: Reactor, receive: @escaping (String) -> Void) throws {
        guard mkfifo(path, 0o600) == 0 else { throw ToolError("cannot make the pipe \(path): \(String(cString: strerror(errno)))") }
        // For reading and writing: the end of one writer is not the end of the pipe.
        descriptor = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw ToolError("cannot open the pipe \(path): \(String(cString: strerror(errno)))") }
        (self.path, self.reactor, self.receive) = (path, reactor, receive)
        source = reactor.add(descriptor) { [unowned self] _, _ in drain() }
    }

    /// Takes in what was written so far.
    func drain() {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { return }
            for line in cutter.take(buffer[..<count]) { receive(line) }
        }
    }

    func close() {
        if let source { reactor.remove(source) }
        source = nil
        _ = Foundation.close(descriptor)
    }
}

import Glibc

/// Lines of a descriptor, read on a thread of their own. The stream ends with the input; other descriptors than standard
/// input are closed then.
enum ConsoleInput {
    /// Bytes a line may have; what comes beyond is dropped.
    static let maximumLine = 65_536

    static func lines(of descriptor: Int32 = STDIN_FILENO) -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream<String>.makeStream()
        let box = Unmanaged.passRetained(Box(descriptor, continuation))
        var thread = pthread_t()
        let failed = pthread_create(&thread, nil, readLines, box.toOpaque())
        if failed == 0 {
            pthread_detach(thread)
        } else {
            box.release()
            continuation.finish()
        }
        return stream
    }

    fileprivate final class Box: Sendable {
        let descriptor: Int32
        let continuation: AsyncStream<String>.Continuation
        init(_ descriptor: Int32, _ continuation: AsyncStream<String>.Continuation) {
            self.descriptor = descriptor
            self.continuation = continuation
        }

        func read() {
            var buffer = [UInt8](repeating: 0, count: 4_096), line: [UInt8] = []
            func finishLine() {
                continuation.yield(String(decoding: line, as: UTF8.self))
                line.removeAll(keepingCapacity: true)
            }
            while true {
                let count = Glibc.read(descriptor, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { break }
                for byte in buffer[..<count] {
                    if byte == 10 { finishLine() } else if line.count < ConsoleInput.maximumLine { line.append(byte) }
                }
            }
            if !line.isEmpty { finishLine() }
            continuation.finish()
            if descriptor != STDIN_FILENO { close(descriptor) }
        }
    }
}

/// The thread's body; not a closure, because it runs outside of every actor.
private func readLines(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    Unmanaged<ConsoleInput.Box>.fromOpaque(argument).takeRetainedValue().read()
    return nil
}

import Glibc

/// Lines of standard input, read on a thread of their own. The stream ends with the input.
enum ConsoleInput {
    static func lines() -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream<String>.makeStream()
        let box = Unmanaged.passRetained(Box(continuation))
        var thread = pthread_t()
        let failed = pthread_create(&thread, nil, readStandardInput, box.toOpaque())
        if failed == 0 {
            pthread_detach(thread)
        } else {
            box.release()
            continuation.finish()
        }
        return stream
    }

    fileprivate final class Box: Sendable {
        let continuation: AsyncStream<String>.Continuation
        init(_ continuation: AsyncStream<String>.Continuation) { self.continuation = continuation }
    }
}

/// The thread's body; not a closure, because it runs outside of every actor.
private func readStandardInput(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    let box = Unmanaged<ConsoleInput.Box>.fromOpaque(argument).takeRetainedValue()
    while let line = readLine() { box.continuation.yield(line) }
    box.continuation.finish()
    return nil
}

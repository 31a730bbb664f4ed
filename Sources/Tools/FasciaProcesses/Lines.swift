import Dispatch
import Foundation
import Synchronization

/// Lines from a descriptor, as they come, with a time limit on waiting for one.
final class Lines: Sendable {
    struct TimedOut: Error {}

    private let stream: AsyncStream<String>
    nonisolated(unsafe) private let source: any DispatchSourceRead // only cancelled, which any thread may do

    /// Takes over `descriptor`.
    init(descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        self.stream = stream
        let rest = Mutex<[UInt8]>([])
        nonisolated(unsafe) let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: DispatchQueue(label: "fascia.lines"))
        source.setEventHandler { // keeps the source alive until it is cancelled
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EAGAIN || errno == EINTR { return }
            guard count > 0 else { return source.cancel() }
            let lines = rest.withLock { rest in
                rest += buffer[..<count]
                var lines: [String] = []
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    lines.append(String(decoding: rest[..<end], as: UTF8.self))
                    rest.removeSubrange(...end)
                }
                return lines
            }
            for line in lines { continuation.yield(line) }
        }
        source.setCancelHandler {
            close(descriptor)
            continuation.finish()
        }
        source.resume()
        self.source = source
    }

    deinit { source.cancel() }

    /// The first coming line that `transform` accepts; nil at the end of the input.
    func next<Value: Sendable>(within seconds: Double, _ transform: @escaping @Sendable (String) -> Value?) async throws -> Value? {
        let stream = stream
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                for await line in stream { if let value = transform(line) { return value } }
                return nil
            }
            group.addTask {
                try await Task.sleep(for: .seconds(seconds))
                throw TimedOut()
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }
}

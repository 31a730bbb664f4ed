import Dispatch
import Foundation
import Synchronization

/// Carries the App Link over a connected stream socket, with one reading and one writing thread.
/// Owns the descriptor: it is closed once both threads have ended.
public final class SocketCarrier: AppCarrier {
    private struct State {
        var queue: [[UInt8]] = []
        var queuedBytes = 0
        var closed = false
        var threads = 0
        var receive: (@Sendable (AppCarrierEvent) -> Void)?
    }

    private let descriptor: Int32
    private let state = Mutex(State())
    private let wake = DispatchSemaphore(value: 0)
    private let name: String

    /// - Parameters:
    ///   - descriptor: a connected, blocking stream socket; ownership passes to the carrier.
    ///   - name: for thread names, short.
    public init(descriptor: Int32, name: String = "app-link") {
        self.descriptor = descriptor
        self.name = name
    }

    deinit {
        // Never started: no thread owns the descriptor. Started carriers are kept alive by their threads, which close it.
        if state.withLock({ $0.receive == nil }) { _ = Glibc.close(descriptor) }
    }

    /// A connected pair of carriers over a socket pair, for tests and for launching an app.
    /// - Throws: `AppLinkError` `.system` when the system has no descriptors left.
    public static func socketPair() throws(AppLinkError) -> (Int32, Int32) {
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw AppLinkError(.system, "socketpair: \(String(cString: strerror(errno)))")
        }
        return (ends[0], ends[1])
    }

    public var queuedBytes: Int { state.withLock { $0.queuedBytes } }

    public func start(_ receive: @escaping @Sendable (AppCarrierEvent) -> Void) {
        state.withLock {
            $0.receive = receive
            $0.threads = 2
        }
        spawn("\(name)-read") { self.readLoop(receive) }
        spawn("\(name)-write") { self.writeLoop(receive) }
    }

    public func send(_ bytes: [UInt8]) {
        guard !bytes.isEmpty else { return }
        let queued = state.withLock { state in
            guard !state.closed else { return false }
            state.queue.append(bytes)
            state.queuedBytes += bytes.count
            return true
        }
        if queued { wake.signal() }
    }

    public func drain(seconds: Double) {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < deadline, state.withLock({ !$0.closed && $0.queuedBytes > 0 }) {
            usleep(1_000)
        }
    }

    public func close() {
        let first = state.withLock { state in
            defer { state.closed = true }
            return !state.closed
        }
        guard first else { return }
        shutdown(descriptor, Int32(SHUT_RDWR))
        wake.signal()
    }

    private func spawn(_ name: String, _ body: @escaping @Sendable () -> Void) {
        let thread = Thread {
            body()
            self.threadEnded()
        }
        thread.name = name
        thread.stackSize = 512 << 10
        thread.start()
    }

    private func threadEnded() {
        let last = state.withLock { state in
            state.threads -= 1
            return state.threads == 0
        }
        if last { _ = Glibc.close(descriptor) }
    }

    private func readLoop(_ receive: @Sendable (AppCarrierEvent) -> Void) {
        var end: AppLinkError?
        while true {
            let chunk = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, count in
                var result = -1
                repeat { result = read(descriptor, buffer.baseAddress, buffer.count) } while result < 0 && errno == EINTR
                if result < 0, errno != ECONNRESET { end = AppLinkError(.system, "read: \(String(cString: strerror(errno)))") }
                count = max(0, result)
            }
            if chunk.isEmpty { break }
            receive(.bytes(chunk))
        }
        close()
        receive(.ended(end))
    }

    private func writeLoop(_ receive: @Sendable (AppCarrierEvent) -> Void) {
        while true {
            wake.wait()
            // Taken as a whole: a long queue of small messages costs no moving up.
            for bytes in takeQueue() {
                guard write(bytes) else { return close() }
                let drained = state.withLock { state in
                    state.queuedBytes -= bytes.count
                    return state.queuedBytes == 0
                }
                if drained { receive(.drained) }
            }
            if state.withLock({ $0.closed }) { return }
        }
    }

    private func takeQueue() -> [[UInt8]] {
        state.withLock { state in
            defer { state.queue = [] }
            return state.closed ? [] : state.queue
        }
    }

    private func write(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { buffer in
            var offset = 0
            while offset < buffer.count {
                let result = Glibc.send(descriptor, buffer.baseAddress?.advanced(by: offset), buffer.count - offset, Int32(MSG_NOSIGNAL))
                if result < 0, errno == EINTR { continue }
                if result <= 0 { return false }
                offset += result
            }
            return true
        }
    }
}

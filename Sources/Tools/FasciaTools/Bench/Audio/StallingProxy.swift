import FasciaEvents
import Foundation
import Synchronization

/// A proxy on a thread of its own, for a link that stalls when it is told to: nothing passes for a while, then all of it, as over TCP.
final class StallingProxy: Sendable {
    private struct State {
        var wanted: Int?
        /// When bytes passed again.
        var end: UInt64?
        var isOver = false
    }

    let port: Int
    private let state = Mutex(State())

    /// - Parameter upstream: port of the head unit on 127.0.0.1.
    init(upstream: Int) throws {
        let reactor = Reactor()
        let proxy = try FaultProxy(reactor: reactor)
        proxy.upstream = upstream
        port = proxy.port
        nonisolated(unsafe) let (served, own) = (reactor, proxy) // of the thread from here on
        let thread = Thread { [weak self] in
            served.onTick = { if let wanted = self?.takeWanted() { Self.stall(own, served, milliseconds: wanted) { self?.finished() } } }
            served.run(within: 86_400) { self?.isOver ?? true }
            own.shutDown()
        }
        thread.start()
    }

    func stop() { state.withLock { $0.isOver = true } }

    /// Returns when it is over.
    /// - Returns: when bytes passed again, `CLOCK_MONOTONIC` nanoseconds.
    func stall(milliseconds: Int) async throws -> UInt64 {
        state.withLock { ($0.wanted, $0.end) = (milliseconds, nil) }
        while true {
            try await Task.sleep(for: .milliseconds(5))
            if let end = state.withLock(\.end) { return end }
        }
    }

    private static func stall(_ proxy: FaultProxy, _ reactor: Reactor, milliseconds: Int, finished: @escaping () -> Void) {
        proxy.blackholeAll()
        try? proxy.set(.blackhole)
        reactor.after(milliseconds: milliseconds) {
            proxy.resumeAll()
            try? proxy.set(.forward)
            finished()
        }
    }

    private var isOver: Bool { state.withLock(\.isOver) }
    private func takeWanted() -> Int? { state.withLock { state in defer { state.wanted = nil }; return state.wanted } }
    private func finished() { state.withLock { $0.end = MonotonicClock.now() } }
}

import FasciaTLS
import NIOCore

/// One TLS connection of a server made before there is anybody for it: making it takes longer than the path within a car. Used on one
/// event loop.
final class EngineReserve: Sendable {
    /// After a connection came, before the next one is made ready: whoever came should not wait for that.
    private static let calm = TimeAmount.milliseconds(20)

    private let loop: any EventLoop
    private let ready: NIOLoopBoundBox<TLSEngine?>

    init(_ loop: any EventLoop) {
        self.loop = loop
        ready = .makeEmptyBox(eventLoop: loop)
    }

    /// One that waits for the client's first message.
    func take(_ make: @escaping @Sendable () throws -> TLSEngine) throws -> TLSEngine {
        defer {
            loop.scheduleTask(in: Self.calm) { [ready] in
                guard ready.value == nil, let engine = try? make() else { return }
                _ = engine.handshake() // as far as it goes without a word from the client
                ready.value = engine
            }
        }
        guard let engine = ready.value else { return try make() }
        ready.value = nil
        return engine
    }
}

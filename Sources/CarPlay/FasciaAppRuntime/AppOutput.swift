import FasciaAppLink
import Synchronization

/// Where messages leave the app: the connection to the phone, or a test's collector. Usable from any thread.
package final class AppOutput: Sendable {
    package static let shared = AppOutput()

    /// A way out.
    package struct Sink: Sendable {
        let send: @Sendable (AppFromApp) -> Void
        let queuedBytes: @Sendable () -> Int
        let drain: @Sendable (Double) -> Void

        package init(
            send: @escaping @Sendable (AppFromApp) -> Void, queuedBytes: @escaping @Sendable () -> Int = { 0 },
            drain: @escaping @Sendable (_ seconds: Double) -> Void = { _ in }
        ) {
            self.send = send
            self.queuedBytes = queuedBytes
            self.drain = drain
        }

        init(_ connection: AppSideConnection) {
            self.init(
                send: { message in
                    do throws(AppLinkError) { try connection.send(message) } catch { printError("a message was not sent: \(error)") }
                },
                queuedBytes: { connection.queuedBytes }, drain: { connection.drain(seconds: $0) })
        }
    }

    private let sink = Mutex<Sink?>(nil)

    package func setSink(_ sink: Sink?) { self.sink.withLock { $0 = sink } }

    package func send(_ message: AppFromApp) { sink.withLock { $0 }?.send(message) }

    /// Bytes not yet taken by the system; 0 without a sink.
    package var queuedBytes: Int { sink.withLock { $0 }?.queuedBytes() ?? 0 }

    package func drain(seconds: Double) { sink.withLock { $0 }?.drain(seconds) }
}

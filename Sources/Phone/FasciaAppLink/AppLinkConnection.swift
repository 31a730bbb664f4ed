import SwiftProtobuf
import Synchronization

/// What a connection tells its user.
public enum AppLinkEvent<Incoming: AppLinkMessage>: Sendable {
    case message(Incoming)
    /// Everything sent so far has left the process.
    case drained
    /// The link is over; nothing follows. nil: closed in order.
    case ended(AppLinkError?)
}

/// The app's end of the App Link.
public typealias AppSideConnection = AppLinkConnection<AppToApp, AppFromApp>
/// The phone's end of the App Link.
public typealias PhoneSideConnection = AppLinkConnection<AppFromApp, AppToApp>

/// Messages over a carrier: encodes what is sent, decodes and checks what arrives. The first bad byte ends the link.
public final class AppLinkConnection<Incoming: AppLinkMessage, Outgoing: AppLinkMessage>: Sendable {
    private let carrier: any AppCarrier
    private let decoder = Mutex(AppLinkDecoder(maximumMessage: Incoming.maximumSize))
    private let ended = Mutex(false)

    public init(carrier: any AppCarrier) {
        self.carrier = carrier
    }

    /// Starts delivery; call once. `receive` runs on the carrier's thread; while it does not return nothing more is read.
    public func start(_ receive: @escaping @Sendable (AppLinkEvent<Incoming>) -> Void) {
        carrier.start { event in
            switch event {
            case .bytes(let bytes): self.received(bytes, receive)
            case .drained: receive(.drained)
            case .ended(let error):
                let truncated = self.decoder.withLock { !$0.isAtBoundary }
                self.end(error ?? (truncated ? AppLinkError(.truncated, "the stream ended inside a message") : nil), receive)
            }
        }
    }

    /// Queues a message; returns at once.
    /// - Throws: `AppLinkError` `.messageTooLarge` (nothing is sent), `.peerNotReading` (the link is then closed).
    public func send(_ message: Outgoing) throws(AppLinkError) {
        let bytes = try AppLinkEncoder.encode(message)
        guard carrier.queuedBytes + bytes.count <= AppLinkLimits.sendQueue + Outgoing.maximumSize else {
            carrier.close()
            throw AppLinkError(.peerNotReading, "\(carrier.queuedBytes) bytes wait to be read")
        }
        carrier.send(bytes)
    }

    /// Bytes queued and not yet taken by the system.
    public var queuedBytes: Int { carrier.queuedBytes }

    /// Waits until everything is written or `seconds` have passed.
    public func drain(seconds: Double) { carrier.drain(seconds: seconds) }

    /// Ends the link. Idempotent.
    public func close() { carrier.close() }

    private func received(_ bytes: [UInt8], _ receive: @Sendable (AppLinkEvent<Incoming>) -> Void) {
        guard !ended.withLock({ $0 }) else { return }
        decoder.withLock { $0.receive(bytes) }
        do throws(AppLinkError) {
            while let message = try next() {
                guard message.type == Incoming.messageType else { continue }
                receive(.message(try decode(message.body)))
            }
        } catch {
            end(error, receive)
            carrier.close()
        }
    }

    private func next() throws(AppLinkError) -> AppLinkDecoder.Message? {
        let result = decoder.withLock { decoder in
            Result { () throws(AppLinkError) in try decoder.nextMessage() }
        }
        return try result.get()
    }

    private func decode(_ body: [UInt8]) throws(AppLinkError) -> Incoming {
        do { return try Incoming(serializedBytes: body) } catch {
            throw AppLinkError(.malformedMessage, "\(Incoming.protoMessageName): \(error)")
        }
    }

    private func end(_ error: AppLinkError?, _ receive: @Sendable (AppLinkEvent<Incoming>) -> Void) {
        let first = ended.withLock { ended in
            defer { ended = true }
            return !ended
        }
        if first { receive(.ended(error)) }
    }
}

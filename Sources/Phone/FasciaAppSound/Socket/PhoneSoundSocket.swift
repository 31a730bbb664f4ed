import Glibc

/// The phone's end. Never blocks; not for several threads at once. Closed when it is let go.
public final class PhoneSoundSocket: @unchecked Sendable {
    /// For `poll`.
    public let descriptor: Int32
    private let socket: SoundDescriptor

    public enum Received: Equatable, Sendable {
        case datagram(SoundFromApp)
        /// A kind of another version; nothing to do.
        case ignored
        /// Bytes that are no datagram: the app is to be cut off.
        case bad(SoundDatagramError)
        /// Nothing there at present.
        case none
        /// The app has closed its end.
        case ended
    }

    /// - Parameter descriptor: from ``pair()``; ownership passes.
    public init(descriptor: Int32) {
        self.descriptor = descriptor
        socket = SoundDescriptor(number: descriptor)
    }

    deinit { close(descriptor) }

    /// Descriptors of a connected pair, close-on-exec. Nil, with errno set, when the system has none left.
    public static func pair() -> (phone: Int32, app: Int32)? {
        SoundDescriptor.pair().map { (phone: $0.0, app: $0.1) }
    }

    public func receive() -> Received {
        switch socket.receive() {
        case .none: return .none
        case .ended: return .ended
        case .tooLarge(let length): return .bad(SoundDatagramError(.tooLarge, "\(length) bytes"))
        case .datagram(let bytes):
            do throws(SoundDatagramError) { return try SoundFromApp.decode(bytes).map { .datagram($0) } ?? .ignored } catch { return .bad(error) }
        }
    }

    /// False when the app does not read and the datagram was dropped, or the app is gone.
    public func send(_ datagram: SoundToApp) -> Bool {
        guard let bytes = try? datagram.encoded() else { return false }
        return socket.send(bytes) == .sent
    }
}

import Foundation
import Synchronization

/// The app's end: may be used from any thread, blocks none of them.
///
/// Packets that find the socket full are dropped and counted, for sound is worth nothing late. Everything else waits in order for room,
/// and later packets with it, so that a stream's start is there before its sound.
public final class AppSoundSocket: Sendable {
    public enum Sent: Sendable { case sent, waiting, dropped, closed }

    private struct State {
        var waiting: [[UInt8]] = []
        var isStarted = false
        var isClosed = false
        /// Packets not sent.
        var dropped: UInt64 = 0
    }

    private let socket: SoundDescriptor
    /// What is written to the one wakes the thread that polls the other.
    private let waker: (read: Int32, write: Int32)
    private let state = Mutex(State())

    /// - Parameter descriptor: ownership passes.
    /// - Returns: nil when the system has no descriptors left; `descriptor` is closed then.
    public init?(descriptor: Int32) {
        guard let pair = SoundDescriptor.pair() else {
            Glibc.close(descriptor)
            return nil
        }
        socket = SoundDescriptor(number: descriptor)
        waker = (read: pair.0, write: pair.1)
    }

    deinit { // the thread, where there is one, holds the socket until it ends
        for descriptor in [socket.number, waker.read, waker.write] { Glibc.close(descriptor) }
    }

    /// What the phone gave this process: takes `FASCIA_APP_SOUND` out of the environment and keeps children from inheriting the
    /// descriptor ([ST-1]). Nil when there is none: the app runs alone.
    public static func fromEnvironment() -> AppSoundSocket? {
        guard let text = getenv("FASCIA_APP_SOUND"), let descriptor = Int32(String(cString: text)), descriptor >= 0, fcntl(descriptor, F_GETFD) >= 0 else { return nil }
        unsetenv("FASCIA_APP_SOUND")
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return AppSoundSocket(descriptor: descriptor)
    }

    /// Both ends in one process, for tests.
    public static func pair() -> (app: AppSoundSocket, phone: PhoneSoundSocket)? {
        guard let ends = PhoneSoundSocket.pair() else { return nil }
        let phone = PhoneSoundSocket(descriptor: ends.phone)
        return AppSoundSocket(descriptor: ends.app).map { (app: $0, phone: phone) }
    }

    /// Packets that found no room, and those that waited for an end that came first.
    public var dropped: UInt64 { state.withLock { $0.dropped } }

    /// Starts a thread that hands over every datagram in order, then nil once: the phone has gone, or `close` was called. Call once.
    public func start(_ receive: @escaping @Sendable (SoundToApp?) -> Void) {
        let first = state.withLock { state in
            defer { state.isStarted = true }
            return !state.isStarted && !state.isClosed
        }
        guard first else { return }
        let thread = Thread { self.run(receive) }
        thread.name = "app-sound-read"
        thread.stackSize = 512 << 10
        thread.start()
    }

    @discardableResult
    public func send(_ datagram: SoundFromApp) -> Sent {
        guard let bytes = try? datagram.encoded() else { return .dropped }
        var isPacket = false
        if case .packet = datagram { isPacket = true }
        let result = state.withLock { state in put(bytes, isPacket, &state) }
        if result == .waiting { wake() }
        return result
    }

    /// Ends the link: streams and session of this app are over. Idempotent.
    public func close() {
        state.withLock { $0.isClosed = true }
        shutdown(socket.number, Int32(SHUT_RDWR))
        wake()
    }

    private func put(_ bytes: [UInt8], _ isPacket: Bool, _ state: inout State) -> Sent {
        guard !state.isClosed else { return .closed }
        flush(&state)
        if state.waiting.isEmpty {
            switch socket.send(bytes) {
            case .sent: return .sent
            case .gone:
                state.isClosed = true
                return .closed
            case .full: break
            }
        }
        guard !isPacket else {
            state.dropped &+= 1
            return .dropped
        }
        guard state.waiting.count < SoundLimits.waiting else { // nobody reads: that end is stuck for good
            state.isClosed = true
            shutdown(socket.number, Int32(SHUT_RDWR))
            return .closed
        }
        state.waiting.append(bytes)
        return .waiting
    }

    private func flush(_ state: inout State) {
        while let first = state.waiting.first {
            switch socket.send(first) {
            case .sent: state.waiting.removeFirst()
            case .full: return
            case .gone:
                state.isClosed = true
                state.waiting = []
            }
        }
    }

    private func wake() { _ = SoundDescriptor(number: waker.write).send([0]) }

    private func run(_ receive: @Sendable (SoundToApp?) -> Void) {
        while true {
            let (isClosed, hasWaiting) = state.withLock { state in
                flush(&state)
                return (state.isClosed, !state.waiting.isEmpty)
            }
            guard !isClosed else { break }
            var descriptors = [pollfd(fd: socket.number, events: Int16(hasWaiting ? POLLIN | POLLOUT : POLLIN), revents: 0),
                               pollfd(fd: waker.read, events: Int16(POLLIN), revents: 0)]
            guard poll(&descriptors, 2, -1) >= 0 || errno == EINTR else { break }
            if descriptors[1].revents != 0 { _ = SoundDescriptor(number: waker.read).receive() }
            guard deliver(receive) else { break }
        }
        state.withLock { $0.isClosed = true }
        receive(nil)
    }

    /// False at the end.
    private func deliver(_ receive: (SoundToApp?) -> Void) -> Bool {
        while true {
            switch socket.receive() {
            case .none: return true
            case .ended: return false
            case .tooLarge: continue // the phone is not checked as an app is: what cannot be read is left out
            case .datagram(let bytes):
                if let datagram = try? SoundToApp.decode(bytes) { receive(datagram) }
            }
        }
    }
}

import FasciaAppSound
import Foundation
import Synchronization

/// The port over the socket that the phone gave this process.
package final class SoundConnection: SoundPort {
    /// Seconds an answer may take.
    private static let patience: TimeInterval = 1

    private struct Answers {
        var awaited: UInt64 = 0
        var reply: AppSoundSessionReply?
        var isOpen = true
    }

    private let socket: AppSoundSocket
    /// Guards `answers`, and is signalled when one comes.
    private let condition = NSCondition()
    nonisolated(unsafe) private var answers = Answers()

    package init(_ socket: AppSoundSocket) {
        self.socket = socket
        socket.start { [weak self] datagram in self?.received(datagram) }
    }

    private static let opened = Mutex(false)

    /// Finds the phone's socket, if there is one; what is done once is done.
    package static func openOnce() {
        let first = opened.withLock { opened in
            defer { opened = true }
            return !opened
        }
        guard first, let socket = AppSoundSocket.fromEnvironment() else { return }
        SoundOutput.shared.port = SoundConnection(socket)
    }

    package func ask(_ session: AppSoundSession) -> AppSoundSessionReply? {
        condition.lock()
        defer { condition.unlock() }
        guard answers.isOpen else { return nil }
        answers.awaited = session.request
        answers.reply = nil
        guard socket.send(.session(session)) != .closed else { return nil }
        let deadline = Date(timeIntervalSinceNow: Self.patience)
        while answers.reply == nil, answers.isOpen, condition.wait(until: deadline) {}
        return answers.reply
    }

    package func start(stream: UInt32, sampleRate: Int, role: AppSoundRole) {
        socket.send(.start(.with { start in
            start.stream = stream
            start.format = .with { $0.sampleRate = UInt32(sampleRate); $0.channels = 2 }
            start.role = role
        }))
    }

    package func send(stream: UInt32, sequence: UInt32, time: UInt64, samples: UnsafeBufferPointer<Int16>) {
        let bytes = [UInt8](UnsafeRawBufferPointer(samples)) // little-endian, as every machine this runs on
        socket.send(.packet(SoundPacket(SoundPacketHeader(stream: stream, sequence: sequence, time: time), samples: bytes)))
    }

    package func stop(stream: UInt32, drain: Bool) { socket.send(.stop(.with { $0.stream = stream; $0.drain = drain })) }

    package func startMicrophone(stream: UInt32, sampleRate: Int) {
        socket.send(.micStart(.with { start in
            start.stream = stream
            start.format = .with { $0.sampleRate = UInt32(sampleRate); $0.channels = 1 }
        }))
    }

    package func stopMicrophone(stream: UInt32) { socket.send(.micStop(.with { $0.stream = stream })) }

    /// On the socket's thread.
    private func received(_ datagram: SoundToApp?) {
        let session = AVAudioSession.sharedInstance()
        switch datagram {
        case .sessionReply(let reply):
            condition.withLock {
                guard reply.request == answers.awaited else { return }
                answers.reply = reply
                condition.broadcast()
            }
        case .interruption(let event): session.received(.interruption(event))
        case .routeChange(let event): session.received(.routeChange(event))
        case .state(let event): session.received(.streamState(event))
        case .hint(let event): session.received(.hint(begin: event.begin))
        case .micState(let event): session.received(.microphone(event))
        case .micPacket(let packet):
            let samples = stride(from: 0, to: packet.samples.count - 1, by: 2).map { index in
                Int16(truncatingIfNeeded: Int(packet.samples[index]) | Int(packet.samples[index + 1]) << 8)
            }
            session.received(.microphonePacket(stream: packet.header.stream, time: packet.header.time, samples: samples))
        case nil:
            condition.withLock {
                answers.isOpen = false
                condition.broadcast()
            }
            session.received(.ended)
        }
    }
}

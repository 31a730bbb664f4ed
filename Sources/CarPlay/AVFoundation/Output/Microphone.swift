import FasciaAppRuntime
import FasciaAppSound
import Foundation
import Synchronization

/// The car's microphone, open while somebody in the app listens.
final class Microphone: Sendable {
    static let shared = Microphone()
    /// Frames a second of the mono samples.
    static let sampleRate = 16_000

    private struct State {
        var stream: UInt32?
        var listeners: [ObjectIdentifier: @Sendable (_ time: UInt64, _ samples: [Int16]) -> Void] = [:]
    }

    private let state = Mutex(State())

    func open(for owner: AnyObject, _ receive: @escaping @Sendable (_ time: UInt64, _ samples: [Int16]) -> Void) {
        let stream = state.withLock { state -> UInt32? in
            state.listeners[ObjectIdentifier(owner)] = receive
            guard state.stream == nil else { return nil }
            state.stream = Lane.nextStream()
            return state.stream
        }
        if let stream { SoundOutput.shared.port?.startMicrophone(stream: stream, sampleRate: Self.sampleRate) }
    }

    func close(for owner: AnyObject) {
        let stream = state.withLock { state -> UInt32? in
            guard state.listeners.removeValue(forKey: ObjectIdentifier(owner)) != nil, state.listeners.isEmpty else { return nil }
            defer { state.stream = nil }
            return state.stream
        }
        if let stream { SoundOutput.shared.port?.stopMicrophone(stream: stream) }
    }

    func received(_ message: AppMicState) {
        guard !message.on, !message.refusal.isEmpty, state.withLock({ $0.stream == message.stream }) else { return }
        printError("the microphone is not to be had: \(message.refusal)")
    }

    func received(_ stream: UInt32, _ time: UInt64, _ samples: [Int16]) {
        let listeners = state.withLock { $0.stream == stream ? Array($0.listeners.values) : [] }
        for listener in listeners { listener(time, samples) }
    }
}

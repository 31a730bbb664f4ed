import FasciaAppRuntime
import FasciaAppSound
import Foundation
import Synchronization

/// The car's microphone, open while somebody in the app listens.
final class Microphone: Sendable {
    static let shared = Microphone()
    /// Frames a second of the mono samples.
    static let sampleRate = 16_000

    private struct Listener {
        let receive: @Sendable (_ time: UInt64, _ samples: [Int16]) -> Void
        let lost: @Sendable (NSError, _ wasOpen: Bool) -> Void
    }

    private struct State {
        var stream: UInt32?
        /// The phone has granted it.
        var isOpen = false
        var listeners: [ObjectIdentifier: Listener] = [:]
    }

    private let state = Mutex(State())

    /// - Parameter lost: called at most once, when the phone refuses it or it goes; nothing is received any more.
    func open(for owner: AnyObject, _ receive: @escaping @Sendable (_ time: UInt64, _ samples: [Int16]) -> Void, lost: @escaping @Sendable (NSError, _ wasOpen: Bool) -> Void) {
        let stream = state.withLock { state -> UInt32? in
            state.listeners[ObjectIdentifier(owner)] = Listener(receive: receive, lost: lost)
            guard state.stream == nil else { return nil }
            (state.stream, state.isOpen) = (Lane.nextStream(), false)
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
        let (lost, wasOpen) = state.withLock { state -> ([Listener], Bool) in
            guard state.stream == message.stream else { return ([], false) }
            if message.on { state.isOpen = true }
            guard !message.on, !message.refusal.isEmpty else { return ([], false) }
            defer { (state.stream, state.listeners) = (nil, [:]) }
            return (Array(state.listeners.values), state.isOpen)
        }
        guard !lost.isEmpty else { return }
        printError("the microphone is not to be had: \(message.refusal)")
        let error = AVAudioSession.error(.cannotStartRecording, "the microphone is not to be had: \(message.refusal)")
        for listener in lost { listener.lost(error, wasOpen) }
    }

    func received(_ stream: UInt32, _ time: UInt64, _ samples: [Int16]) {
        let listeners = state.withLock { $0.stream == stream ? Array($0.listeners.values) : [] }
        for listener in listeners { listener.receive(time, samples) }
    }
}

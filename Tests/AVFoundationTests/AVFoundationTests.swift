import AVFoundation
import FasciaAppSound
import FasciaSoundFile
import Foundation
import Synchronization
import Testing

/// The sound an app makes, with time driven by hand. One at a time: output and session are the process's own.
@Suite(.serialized)
struct AVFoundationTests {
    /// Collects what would go to the phone, and answers for it.
    final class TestPort: SoundPort {
        struct Stream: Sendable {
            var role: AppSoundRole
            var rate: Int
            var sequences: [UInt32] = []
            var times: [UInt64] = []
            var samples: [Int16] = []
            var isStopped = false

            /// Root mean square of a stretch, both sides together; 1 is full scale.
            func level(_ seconds: Range<Double>) -> Double {
                let from = min(samples.count, Int(seconds.lowerBound * Double(rate)) * 2), to = min(samples.count, Int(seconds.upperBound * Double(rate)) * 2)
                guard to > from else { return 0 }
                return (samples[from..<to].reduce(0.0) { $0 + pow(Double($1) / 32_768, 2) } / Double(to - from)).squareRoot()
            }
        }

        struct State {
            var streams: [UInt32: Stream] = [:]
            var order: [UInt32] = []
            var requests: [AppSoundSession] = []
            var refusal: AVAudioSession.ErrorCode?
            var microphone: UInt32?
        }

        let state = Mutex(State())

        func ask(_ session: AppSoundSession) -> AppSoundSessionReply? {
            state.withLock { state in
                state.requests.append(session)
                return .with {
                    $0.request = session.request
                    $0.success = state.refusal == nil || !session.active
                    $0.error = Int32(truncatingIfNeeded: state.refusal?.rawValue ?? 0)
                }
            }
        }

        func start(stream: UInt32, sampleRate: Int, role: AppSoundRole) {
            state.withLock { $0.streams[stream] = Stream(role: role, rate: sampleRate); $0.order.append(stream) }
        }

        func send(stream: UInt32, sequence: UInt32, time: UInt64, samples: UnsafeBufferPointer<Int16>) {
            state.withLock {
                $0.streams[stream]?.sequences.append(sequence)
                $0.streams[stream]?.times.append(time)
                $0.streams[stream]?.samples += samples
            }
        }

        func stop(stream: UInt32, drain: Bool) { state.withLock { $0.streams[stream]?.isStopped = true } }
        func startMicrophone(stream: UInt32, sampleRate: Int) { state.withLock { $0.microphone = stream } }
        func stopMicrophone(stream: UInt32) { state.withLock { $0.microphone = nil } }

        var streams: [Stream] { state.withLock { state in state.order.compactMap { state.streams[$0] } } }
        var requests: [AppSoundSession] { state.withLock { $0.requests } }
    }

    let port = TestPort()

    private static let mainQueue = DispatchSpecificKey<Bool>()

    /// Under Swift Testing the main queue need not run on the main thread.
    static var isOnMainQueue: Bool { DispatchQueue.getSpecific(key: mainQueue) == true }

    init() {
        DispatchQueue.main.setSpecific(key: Self.mainQueue, value: true)
        SoundOutput.shared.driveByHand()
        SoundOutput.shared.advance(seconds: 0.05) // what an earlier test left fades out
        SoundOutput.shared.port = port
        AVAudioSession.sharedInstance().reset()
    }

    /// For this process's files; goes with it.
    private static let directory: URL = {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("fascia-avfoundation-\(UUID().uuidString)")
        try? FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        atexit { try? FileManager.default.removeItem(at: AVFoundationTests.directory) }
        return directory
    }()

    /// A name of its own; nothing is there yet.
    static func newFile(_ kind: String) -> URL { directory.appendingPathComponent("\(UUID().uuidString).\(kind)") }

    /// A file of a sine of 440 Hz at half of full scale.
    static func file(seconds: Double, rate: Int = 48_000, channels: Int = 1, name: String = "wav") throws -> URL {
        let url = newFile(name)
        let writer = try SoundFileWriter(path: url.path, sampleRate: rate, channels: channels)
        let samples = (0..<Int(seconds * Double(rate)) * channels).map { Float(0.5 * sin(2 * .pi * 440 * Double($0 / channels) / Double(rate))) }
        try samples.withUnsafeBufferPointer { try writer.write(try #require($0.baseAddress), frames: samples.count / channels) }
        writer.close()
        return url
    }

    /// Lets the main thread do what it was given, until something holds.
    static func until(_ condition: @escaping () -> Bool) async {
        for _ in 0..<30_000 where !condition() {
            await MainActor.run {}
            try? await Task.sleep(for: .milliseconds(1))
        }
    }

    func advance(_ seconds: Double) { SoundOutput.shared.advance(seconds: seconds) }
}

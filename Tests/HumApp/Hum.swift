import AVFoundation

/// Plays a steady tone, and listens if that is its business.
///
/// - `prompt`: a voice prompt of 2 kHz that ducks others
/// - `call`: a conversation, a tone of 700 Hz; hears by a tap of its engine
/// - `assistant`: hears by a recorder, and says nothing
/// - `podcast`: plays a file, and does what the driver's keys say; see ``Podcast``
/// - `spinner`: music whose first block never ends
/// - `eavesdropper`: wants to hear in a session for music
/// - anything else: music of 440 Hz
final class Hum: NSObject, AVAudioRecorderDelegate {
    static let shared = Hum()

    /// For the driver: what it does, or why not.
    var stateChanged: ((String) -> Void)?
    private let engine = AVAudioEngine()
    private var recorder: AVAudioRecorder?
    private var file: AVAudioFile?
    private var isOn = false
    private let podcast = name == "podcast" ? Podcast() : nil
    private var listens: Bool { name == "call" || name == "eavesdropper" }

    private override init() {
        super.init()
        guard name != "assistant", name != "podcast" else { return }
        let (frequency, amplitude) = name == "prompt" ? (2_000.0, 0.05) : name == "call" ? (700, 0.2) : (440, 0.25)
        var phase = 0.0
        let node = AVAudioSourceNode { _, _, frames, output in
            while name == "spinner" {}
            for frame in 0 ..< Int(frames) {
                for buffer in UnsafeMutableAudioBufferListPointer(output) {
                    buffer.mData?.assumingMemoryBound(to: Float.self)[frame] = Float(amplitude * sin(phase))
                }
                phase += 2 * .pi * frequency / 48_000
                if phase > 2 * .pi { phase -= 2 * .pi }
            }
            return noErr
        }
        engine.attach(node)
        engine.connect(node, to: engine.mainMixerNode, format: AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2))
    }

    func toggle() {
        do {
            if isOn { try stop() } else { try start() }
            isOn.toggle()
            stateChanged?(isOn ? "Humming" : "Silent")
        } catch {
            let code = AVAudioSession.ErrorCode(rawValue: (error as NSError).code).map { "\($0)" } ?? "\((error as NSError).code)"
            print("\(name): \(code): \(error.localizedDescription)")
            stateChanged?("Refused: \(code)")
        }
    }

    func interrupted(_ type: AVAudioSession.InterruptionType, shouldResume: Bool) {
        guard isOn, type == .ended else { return }
        do {
            guard shouldResume else { return isOn = false }
            try AVAudioSession.sharedInstance().setActive(true)
            try engine.start()
        } catch { print("\(name) does not go on: \(error.localizedDescription)") }
    }

    private func start() throws {
        let session = AVAudioSession.sharedInstance()
        switch name {
        case "prompt": try session.setCategory(.playback, mode: .voicePrompt, options: .duckOthers)
        case "call": try session.setCategory(.playAndRecord, mode: .voiceChat, options: [.allowBluetooth])
        case "assistant": try session.setCategory(.playAndRecord)
        default: try session.setCategory(.playback)
        }
        try session.setActive(true)
        if let podcast { return podcast.toggle() }
        if name == "assistant" {
            let recorder = try AVAudioRecorder(url: Self.recording, settings: [AVFormatIDKey: Int(kAudioFormatLinearPCM), AVSampleRateKey: 16_000, AVNumberOfChannelsKey: 1])
            recorder.delegate = self
            self.recorder = recorder
            if !recorder.record() { print("assistant does not record") }
            return
        }
        if listens { try listen() }
        try engine.start()
    }

    private func listen() throws {
        let format = engine.inputNode.outputFormat(forBus: 0)
        engine.inputNode.removeTap(onBus: 0)
        let file = try AVAudioFile(forWriting: Self.recording, settings: format.settings)
        self.file = file
        engine.inputNode.installTap(onBus: 0, bufferSize: 1_024, format: format) { buffer, _ in
            do { try file.write(from: buffer) } catch { print("\(name) cannot write: \(error)") }
        }
    }

    private func stop() throws {
        recorder?.stop()
        recorder = nil
        podcast?.pause()
        if listens { engine.inputNode.removeTap(onBus: 0) }
        engine.stop()
        file = nil
        try AVAudioSession.sharedInstance().setActive(false, options: .notifyOthersOnDeactivation)
    }

    /// Where it keeps what it heard.
    private static var recording: URL {
        URL(fileURLWithPath: ProcessInfo.processInfo.environment["HUM_RECORDINGS"] ?? NSTemporaryDirectory()).appendingPathComponent("\(name).wav")
    }

    func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) { print("recorded: \(flag)") }
    func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?) { print("recording failed: \(error?.localizedDescription ?? "")") }
}

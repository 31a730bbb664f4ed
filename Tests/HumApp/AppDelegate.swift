import AVFoundation
import CarPlay

/// Plays a steady tone while its row is on. Started by the name `prompt` it is a voice prompt of 2 kHz that ducks others, by any other
/// name music of 440 Hz.
final class Tone {
    static let name = (CommandLine.arguments.first ?? "").split(separator: "/").last.map(String.init) ?? ""
    static let shared = Tone()

    private let engine = AVAudioEngine()
    private(set) var isOn = false

    private init() {
        let frequency = Self.name == "prompt" ? 2_000.0 : 440.0, amplitude = Self.name == "prompt" ? 0.05 : 0.25
        var phase = 0.0
        let node = AVAudioSourceNode { _, _, frames, output in
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
        let session = AVAudioSession.sharedInstance()
        do {
            if isOn {
                engine.stop()
                try session.setActive(false, options: .notifyOthersOnDeactivation)
            } else {
                if Self.name == "prompt" { try session.setCategory(.playback, mode: .voicePrompt, options: .duckOthers) } else { try session.setCategory(.playback) }
                try session.setActive(true)
                try engine.start()
            }
            isOn.toggle()
        } catch { print("\(Self.name): \(error.localizedDescription)") }
    }
}

@main
class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(_ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?) -> Bool {
        _ = NotificationCenter.default.addObserver(forName: AVAudioSession.routeChangeNotification, object: nil, queue: .main) { note in
            print("route change \(note.userInfo?[AVAudioSessionRouteChangeReasonKey] ?? "")")
        }
        return true
    }
}

class CarPlaySceneDelegate: UIResponder, CPTemplateApplicationSceneDelegate {
    func templateApplicationScene(_ templateApplicationScene: CPTemplateApplicationScene, didConnect interfaceController: CPInterfaceController) {
        let item = CPListItem(text: "Toggle \(Tone.name)", detailText: nil)
        item.handler = { _, done in
            Tone.shared.toggle()
            done()
        }
        interfaceController.setRootTemplate(CPListTemplate(title: "Tone", sections: [CPListSection(items: [item])]), animated: false, completion: nil)
    }
}

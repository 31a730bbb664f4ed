import AVFoundation
import CarPlay

/// The name it was started by says what it is.
let name = (CommandLine.arguments.first ?? "").split(separator: "/").last.map(String.init) ?? ""

@main
class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(_ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?) -> Bool {
        _ = NotificationCenter.default.addObserver(forName: AVAudioSession.routeChangeNotification, object: nil, queue: .main) { note in
            print("route change \(note.userInfo?[AVAudioSessionRouteChangeReasonKey] ?? "")")
        }
        _ = NotificationCenter.default.addObserver(forName: AVAudioSession.interruptionNotification, object: nil, queue: .main) { note in
            guard let value = note.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt, let type = AVAudioSession.InterruptionType(rawValue: value) else { return }
            let options = (note.userInfo?[AVAudioSessionInterruptionOptionKey] as? UInt).map(AVAudioSession.InterruptionOptions.init) ?? []
            print("interruption \(type)\(options.contains(.shouldResume) ? ", should resume" : "")")
            Hum.shared.interrupted(type, shouldResume: options.contains(.shouldResume))
        }
        return true
    }
}

class CarPlaySceneDelegate: UIResponder, CPTemplateApplicationSceneDelegate {
    func templateApplicationScene(_ templateApplicationScene: CPTemplateApplicationScene, didConnect interfaceController: CPInterfaceController) {
        let item = CPListItem(text: "Toggle \(name)", detailText: "Silent")
        item.handler = { item, done in
            Hum.shared.toggle()
            done()
        }
        Hum.shared.stateChanged = { item.setDetailText($0) }
        interfaceController.setRootTemplate(CPListTemplate(title: "Hum", sections: [CPListSection(items: [item])]), animated: false, completion: nil)
    }
}

import CarPlay
import MediaPlayer

/// Misbehaves as the name it is started by says, one word for where and one for what:
/// `launch|connect|update|disconnect|terminate` and `sleep|spin|crash|stop|mask`. `plain` behaves, and `playing` plays.
enum Manner {
    private static let words = (CommandLine.arguments.first ?? "").split(separator: "/").last.map { $0.split(separator: "-").map(String.init) } ?? []

    static var plays: Bool { words == ["playing"] }

    /// Does what the name says if this is where.
    @inline(never)
    static func misbehave(at place: String) {
        guard words.count == 2, words[0] == place else { return }
        switch words[1] {
        case "sleep": sleepForEver()
        case "spin": while true { spins &+= 1 }
        case "crash": abort()
        case "stop": raise(SIGSTOP)
        case "mask":
            var signals = sigset_t()
            sigfillset(&signals)
            pthread_sigmask(SIG_BLOCK, &signals, nil)
            sleepForEver()
        default: break
        }
    }

    nonisolated(unsafe) private static var spins = 0

    @inline(never)
    private static func sleepForEver() { while true { sleep(1_000) } }
}

@main
class AppDelegate: UIResponder, UIApplicationDelegate {
    func application(_ application: UIApplication, didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?) -> Bool {
        Manner.misbehave(at: "launch")
        if Manner.plays { play() }
        return true
    }

    func applicationWillTerminate(_ application: UIApplication) { Manner.misbehave(at: "terminate") }

    /// Says on its output what the car asked for.
    private func play() {
        let center = MPNowPlayingInfoCenter.default()
        center.nowPlayingInfo = [MPMediaItemPropertyTitle: "Endless", MPNowPlayingInfoPropertyPlaybackRate: 1.0]
        center.playbackState = .playing
        MPRemoteCommandCenter.shared().pauseCommand.addTarget { _ in
            print("pause command")
            center.playbackState = .paused
            return .success
        }
    }
}

class CarPlaySceneDelegate: UIResponder, CPTemplateApplicationSceneDelegate {
    func templateApplicationScene(_ templateApplicationScene: CPTemplateApplicationScene, didConnect interfaceController: CPInterfaceController) {
        print("didConnect")
        Manner.misbehave(at: "connect")
        let item = CPListItem(text: "Row", detailText: nil)
        item.handler = { _, done in
            print("row tapped")
            done()
        }
        interfaceController.setRootTemplate(CPListTemplate(title: "Wayward", sections: [CPListSection(items: [item])]), animated: false, completion: nil)
        DispatchQueue.main.asyncAfter(deadline: .now() + 0.05) { Manner.misbehave(at: "update") }
    }

    func templateApplicationScene(
        _ templateApplicationScene: CPTemplateApplicationScene, didDisconnectInterfaceController interfaceController: CPInterfaceController
    ) {
        print("didDisconnect")
        Manner.misbehave(at: "disconnect")
    }
}

import FasciaAppLink
import FasciaAppRuntime

/// Makes a scene and its delegate from the scene manifest and the app delegate's answer. What is wrong there ends the
/// process, naming the file and the key, as the app could not show anything.
@MainActor
enum SceneFactory {
    struct Made {
        let scene: UIScene
        let delegate: any UISceneDelegate
        let options: UIScene.ConnectionOptions
    }

    private static let modules = ["CarPlay", "UIKit"]

    static func make(_ connect: AppSceneConnect, application: UIApplication) -> Made {
        let role = UISceneSession.Role(rawValue: SceneManifest.carPlayRole)
        let manifest = AppSession.shared.bundle?.scenes
        let preset = UISceneConfiguration(name: manifest?.carPlay()?.name, sessionRole: role)
        fill(preset, from: manifest)
        let identifier = connect.sessionIdentifier.isEmpty ? UUID().uuidString : connect.sessionIdentifier
        let session = UISceneSession(role: role, configuration: preset, persistentIdentifier: identifier)
        let options = UIScene.ConnectionOptions()
        let chosen = application.delegate?.application(application, configurationForConnecting: session, options: options) ?? preset
        fill(chosen, from: manifest)
        session.configuration = chosen
        guard let sceneClass = chosen.sceneClass as? UIScene.Type else {
            fail("UISceneClassName", manifest, manifest?.carPlay(named: chosen.name)?.sceneClass, "it must be CPTemplateApplicationScene")
        }
        guard let delegateClass = chosen.delegateClass as? NSObject.Type else {
            fail(
                "UISceneDelegateClassName", manifest, manifest?.carPlay(named: chosen.name)?.delegateClass,
                "the app has no such class; it is written Module.Class, for example $(PRODUCT_MODULE_NAME).CarPlaySceneDelegate")
        }
        let scene = sceneClass.init(session: session, connectionOptions: options)
        guard let delegate = ObjectFactory.create(delegateClass) as? any UISceneDelegate else {
            fail(
                "UISceneDelegateClassName", manifest, String(reflecting: delegateClass),
                "this class does not conform to CPTemplateApplicationSceneDelegate")
        }
        scene.sceneDelegate = delegate
        return Made(scene: scene, delegate: delegate, options: options)
    }

    private static func fill(_ configuration: UISceneConfiguration, from manifest: SceneManifest?) {
        let entry = manifest?.carPlay(named: configuration.name)
        if configuration.sceneClass == nil {
            configuration.sceneClass = ObjectFactory.findClass(entry?.sceneClass ?? "CPTemplateApplicationScene", modules: modules)
        }
        if configuration.delegateClass == nil, let name = entry?.delegateClass {
            configuration.delegateClass = ObjectFactory.findClass(name, modules: [])
        }
    }

    /// The cause first: a car's screen shows three lines of it.
    private static func fail(_ key: String, _ manifest: SceneManifest?, _ found: String?, _ rule: String) -> Never {
        let place = "UIApplicationSceneManifest/UISceneConfigurations/\(SceneManifest.carPlayRole) of \(manifest?.path ?? "Info.plist")"
        Faults.endProcess(
            ExceptionName.internalInconsistency, "\(key) \(found.map { "is \"\($0)\"" } ?? "is missing"): \(rule). See \(place)")
    }
}

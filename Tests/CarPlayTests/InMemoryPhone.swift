import CarPlay
import FasciaAppLink
import FasciaAppRuntime
import Foundation
import Synchronization
import Testing

/// The phone's end in the same process: collects what the app sends and answers stack operations.
@MainActor
final class InMemoryPhone {
    private let collected = Collected()
    private let raised = Raised()
    /// Answers every stack operation with success as soon as it is sent.
    var answersOperations = true
    private var appDelegate = TestAppDelegate()

    final class Collected: Sendable {
        let messages = Mutex<[AppFromApp.OneOf_Message]>([])
        let queuedBytes = Mutex(0)
    }

    final class Raised: Sendable {
        let all = Mutex<[(name: String, reason: String)]>([])
    }

    init(category: AppCategory = .audio, sceneDelegate: AnyClass = TestSceneDelegate.self, connected: Bool = true) {
        AppSession.shared.disconnectScene(reason: "new test")
        AppSession.shared.reset(category: category)
        CPNowPlayingTemplate.shared.updateNowPlayingButtons([])
        let collected = collected
        AppOutput.shared.setSink(
            AppOutput.Sink(
                send: { message in
                    guard let content = message.message else { return }
                    collected.messages.withLock { $0.append(content) }
                },
                queuedBytes: { collected.queuedBytes.withLock { $0 } }))
        let raised = raised
        Faults.observeRaises { name, reason in raised.all.withLock { $0.append((name, reason)) } }
        TestSceneDelegate.events = []
        TestSceneDelegate.controller = nil
        TestAppDelegate.sceneDelegateClass = sceneDelegate
        UIApplication.shared.launch(appDelegate)
        if connected { connect() }
    }

    // MARK: To the app

    func send(_ fill: (inout AppToApp) -> Void) { AppSession.shared.receive(.with(fill)) }

    func connect(_ traits: AppTraits = InMemoryPhone.traits) {
        send { $0.sceneConnect = .with { $0.scene = 1; $0.traits = traits } }
    }

    func disconnect() { send { $0.sceneDisconnect = .with { $0.scene = 1; $0.reason = "test" } } }

    func activate(_ element: UInt64, in template: CPTemplate, selection: UInt64 = 0, index: UInt32? = nil) {
        let id = template.templateID
        send { message in
            message.elementActivated = .with { activation in
                activation.template = id
                activation.element = element
                activation.selection = selection
                activation.hasIndex_p = index != nil
                activation.index = index ?? 0
            }
        }
        turn()
    }

    func lifecycle(_ template: CPTemplate, _ phase: AppTemplateLifecycle.Phase) {
        let id = template.templateID
        send { $0.lifecycle = .with { $0.template = id; $0.phase = phase; $0.animated = true } }
    }

    func answer(_ operation: AppStackOperation, success: Bool, error: String = "") {
        send { $0.stackResult = .with { $0.operation = operation.operation; $0.success = success; $0.error = error } }
    }

    static var traits: AppTraits {
        .with { $0.width = 400; $0.height = 240; $0.scale = 2; $0.maximumListItems = 12; $0.maximumListSections = 12 }
    }

    // MARK: From the app

    /// Ends a run-loop turn: the app's changes are sent, operations answered.
    func turn() {
        AppSession.shared.flush()
        guard answersOperations else { return }
        for operation in operations where !answered.contains(operation.operation) {
            answered.insert(operation.operation)
            answer(operation, success: true)
        }
    }

    private var answered: Set<UInt64> = []

    /// Runs turns until `count` selections are completed: a completion block may arrive by way of another thread.
    func completed(_ count: Int) async -> [UInt64] {
        while completions.count < count {
            await Task.yield()
            turn()
        }
        return completions
    }

    var messages: [AppFromApp.OneOf_Message] { collected.messages.withLock { $0 } }

    func clear() { collected.messages.withLock { $0 = [] } }

    func setQueued(_ bytes: Int) { collected.queuedBytes.withLock { $0 = bytes } }

    var operations: [AppStackOperation] {
        messages.compactMap { if case .stackOperation(let operation) = $0 { operation } else { nil } }
    }

    var images: [AppImage] { messages.compactMap { if case .image(let image) = $0 { image } else { nil } } }
    var updates: [AppItemUpdate] { messages.compactMap { if case .updateItem(let update) = $0 { update } else { nil } } }
    var completions: [UInt64] { messages.compactMap { if case .selectionCompleted(let done) = $0 { done.selection } else { nil } } }

    /// The state last sent of a template.
    func state(of template: CPTemplate) -> AppTemplate? {
        let id = template.templateID
        return messages.compactMap { message -> AppTemplate? in
            if case .upsertTemplate(let state) = message, state.id == id { state } else { nil }
        }.last
    }

    /// What would have ended the process.
    var raises: [(name: String, reason: String)] { raised.all.withLock { $0 } }

    var controller: CPInterfaceController { get throws { try #require(TestSceneDelegate.controller) } }

    /// A controller with `root` set and answered.
    func rooted(_ root: CPTemplate = CPListTemplate(title: "Root", sections: [])) throws -> CPInterfaceController {
        let controller = try controller
        controller.setRootTemplate(root, animated: false)
        turn()
        return controller
    }
}

final class TestAppDelegate: UIResponder, UIApplicationDelegate {
    static var sceneDelegateClass: AnyClass = TestSceneDelegate.self

    func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession, options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        let configuration = UISceneConfiguration(name: "CarPlay", sessionRole: connectingSceneSession.role)
        configuration.sceneClass = CPTemplateApplicationScene.self
        configuration.delegateClass = Self.sceneDelegateClass
        return configuration
    }
}

class TestSceneDelegate: UIResponder, CPTemplateApplicationSceneDelegate {
    static var events: [String] = []
    static var controller: CPInterfaceController?

    func templateApplicationScene(_ templateApplicationScene: CPTemplateApplicationScene, didConnect interfaceController: CPInterfaceController) {
        Self.events.append("connect")
        Self.controller = interfaceController
    }

    func templateApplicationScene(
        _ templateApplicationScene: CPTemplateApplicationScene, didDisconnectInterfaceController interfaceController: CPInterfaceController
    ) {
        Self.events.append("disconnect")
    }

    func sceneDidBecomeActive(_ scene: UIScene) { Self.events.append("active") }
    func sceneDidDisconnect(_ scene: UIScene) { Self.events.append("scene gone") }
}

/// Awaits a completion handler.
@MainActor
func outcome(_ start: (@escaping CPInterfaceController.Completion) -> Void) async -> (success: Bool, error: String?) {
    await withCheckedContinuation { continuation in
        start { continuation.resume(returning: ($0, $1?.localizedDescription)) }
    }
}

import CarPlay
import FasciaAppLink
import FasciaAppRuntime
import Foundation
import Testing

/// Keeps what app code keeps, a controller and templates whose handlers know the delegate, and says what it is by weak references.
final class KeepingSceneDelegate: UIResponder, CPTemplateApplicationSceneDelegate, CPInterfaceControllerDelegate {
    struct Seen {
        weak var delegate: KeepingSceneDelegate?
        weak var scene: CPTemplateApplicationScene?
        weak var controller: CPInterfaceController?
        weak var list: CPListTemplate?
        weak var pushed: CPListTemplate?
        weak var alert: CPAlertTemplate?
        weak var item: CPListItem?
        weak var window: CPWindow?
    }

    static var seen = Seen()
    static var calls: [String] = []
    private var controller: CPInterfaceController?
    private var list: CPListTemplate?

    func templateApplicationScene(_ templateApplicationScene: CPTemplateApplicationScene, didConnect interfaceController: CPInterfaceController) {
        controller = interfaceController
        interfaceController.delegate = self
        let item = CPListItem(text: "Row", detailText: nil)
        item.handler = { [weak self] _, done in
            Self.calls.append("handler \(self != nil)")
            done()
        }
        let list = CPListTemplate(title: "Kept", sections: [CPListSection(items: [item])])
        self.list = list
        interfaceController.setRootTemplate(list, animated: false) { success, _ in Self.calls.append("root \(success)") }
        let pushed = CPListTemplate(title: "Pushed", sections: [])
        interfaceController.pushTemplate(pushed, animated: false) { success, _ in Self.calls.append("push \(success)") }
        let alert = CPAlertTemplate(titleVariants: ["Alert"], actions: [CPAlertAction(title: "OK", style: .default) { _ in Self.calls.append("alert") }])
        interfaceController.presentTemplate(alert, animated: false) { success, _ in Self.calls.append("present \(success)") }
        Self.seen = Seen(
            delegate: self, scene: templateApplicationScene, controller: interfaceController, list: list, pushed: pushed, alert: alert, item: item,
            window: templateApplicationScene.carWindow)
    }

    func templateApplicationScene(
        _ templateApplicationScene: CPTemplateApplicationScene, didDisconnectInterfaceController interfaceController: CPInterfaceController
    ) {
        Self.calls.append("didDisconnect")
    }

    func templateDidAppear(_ template: CPTemplate, animated: Bool) { Self.calls.append("appear") }
}

extension CarPlayTests {
    /// After a scene's disconnect nothing of it is there, and nothing of it is called.
    @MainActor
    struct SceneRelease {
        private var seen: KeepingSceneDelegate.Seen { KeepingSceneDelegate.seen }

        /// Runs main-queue turns until `done`: completion handlers come in a later one.
        private func turns(until done: () -> Bool) async {
            while !done() { await Task.yield() }
        }

        @Test(arguments: [true, false])
        func nothingOfASceneIsLeft(_ phoneAnswers: Bool) async {
            KeepingSceneDelegate.calls = []
            let phone = InMemoryPhone(sceneDelegate: KeepingSceneDelegate.self, connected: false)
            phone.answersOperations = phoneAnswers
            phone.connect()
            phone.turn()
            #expect(seen.delegate != nil && seen.scene != nil && seen.controller != nil && seen.list != nil && seen.item != nil && seen.alert != nil)
            phone.disconnect()
            phone.turn()
            // The outcome of what was under way is told, once each, and then nothing holds anything.
            await turns { KeepingSceneDelegate.calls.count == 4 }
            await turns { seen.controller == nil }
            #expect(seen.delegate == nil)
            #expect(seen.scene == nil)
            #expect(seen.list == nil && seen.pushed == nil && seen.alert == nil && seen.item == nil)
            #expect(seen.window == nil)
            #expect(UIApplication.shared.connectedScenes.isEmpty)
            #expect(Set(KeepingSceneDelegate.calls) == (phoneAnswers ? ["root true", "push true", "present true", "didDisconnect"] : ["root false", "push false", "present false", "didDisconnect"]))
        }

        /// What the phone sent before it knew that the scene is gone, or says by mistake.
        @Test func handlersOfADeadSceneAreNotCalled() async throws {
            KeepingSceneDelegate.calls = []
            let phone = InMemoryPhone(sceneDelegate: KeepingSceneDelegate.self, connected: false)
            phone.connect()
            phone.turn()
            await turns { KeepingSceneDelegate.calls.count == 3 }
            // App code may go on holding its objects.
            let controller = try #require(seen.controller), list = try #require(seen.list), item = try #require(seen.item)
            let state = try #require(phone.state(of: list))
            let element = try #require(state.list.sections.first?.items.first?.element)
            phone.activate(element, in: list, selection: 1)
            #expect(KeepingSceneDelegate.calls.last == "handler true")
            phone.disconnect()
            KeepingSceneDelegate.calls = []
            phone.clear()
            phone.activate(element, in: list, selection: 2)
            phone.lifecycle(list, .didAppear)
            phone.send { $0.userPopped.template = list.templateID }
            phone.send { $0.userDismissed.template = list.templateID }
            phone.send { $0.traits = .with { $0.dark = true } }
            item.setText("Changed")
            list.updateSections([])
            phone.turn()
            await Task.yield()
            #expect(KeepingSceneDelegate.calls.isEmpty)
            #expect(controller.templates.isEmpty && controller.topTemplate == nil)
            #expect(phone.updates.isEmpty && phone.operations.isEmpty && phone.state(of: list) == nil)
        }

        @Test func aThousandScenesLeaveNothing() async {
            let phone = InMemoryPhone(sceneDelegate: KeepingSceneDelegate.self, connected: false)
            for _ in 0..<1_000 {
                KeepingSceneDelegate.calls = []
                phone.connect()
                phone.turn()
                phone.disconnect()
                phone.clear()
                await turns { KeepingSceneDelegate.calls.count == 4 && seen.controller == nil }
                #expect(seen.delegate == nil && seen.scene == nil && seen.list == nil && seen.pushed == nil && seen.alert == nil)
            }
        }
    }
}

import CarPlay
import FasciaAppLink
import FasciaAppRuntime
import Foundation
import Testing

/// As much app code is written: the spelling iOS would not call.
final class OtherSpellingDelegate: UIResponder, CPTemplateApplicationSceneDelegate {
    func templateApplicationScene(_ templateApplicationScene: CPTemplateApplicationScene, didConnect interfaceController: CPInterfaceController) {
        TestSceneDelegate.events.append("connect")
    }

    func templateApplicationScene(_ templateApplicationScene: CPTemplateApplicationScene, didDisconnect interfaceController: CPInterfaceController) {
        TestSceneDelegate.events.append("disconnect")
    }
}

final class NavigationSceneDelegate: UIResponder, CPTemplateApplicationSceneDelegate {
    func templateApplicationScene(
        _ templateApplicationScene: CPTemplateApplicationScene, didConnect interfaceController: CPInterfaceController, to window: CPWindow
    ) {
        TestSceneDelegate.events.append("connect \(window.templateApplicationScene === templateApplicationScene)")
    }

    func templateApplicationScene(
        _ templateApplicationScene: CPTemplateApplicationScene, didDisconnect interfaceController: CPInterfaceController, from window: CPWindow
    ) {
        TestSceneDelegate.events.append("disconnect")
    }
}

final class EmptySceneDelegate: UIResponder, CPTemplateApplicationSceneDelegate {}

/// Conforms to both protocols that have `contentStyleDidChange`, and has a plain `override init()`.
final class TwoScreensDelegate: NSObject, CPTemplateApplicationSceneDelegate, CPTemplateApplicationInstrumentClusterSceneDelegate {
    let word: String

    override init() {
        word = "made"
        super.init()
    }

    func templateApplicationScene(_ templateApplicationScene: CPTemplateApplicationScene, didConnect interfaceController: CPInterfaceController) {
        TestSceneDelegate.events.append(word)
    }

    func contentStyleDidChange(_ contentStyle: UIUserInterfaceStyle) { TestSceneDelegate.events.append("style \(contentStyle.rawValue)") }
}

extension CarPlayTests {
    /// Connect once, disconnect once, whatever the delegate wrote.
    @MainActor
    struct SceneLifecycle {
        @Test func oneConnectOneDisconnect() throws {
            let phone = InMemoryPhone()
            phone.connect()
            phone.disconnect()
            phone.disconnect()
            #expect(TestSceneDelegate.events == ["connect", "active", "disconnect", "scene gone"])
            let replies = phone.messages.compactMap { if case .sceneReply(let reply) = $0 { reply.kind } else { nil } }
            #expect(replies.first == .connected)
            #expect(replies.last == .disconnected)
        }

        @Test func aNewConnectionGetsANewControllerAndEverythingAgain() throws {
            let phone = InMemoryPhone()
            let list = CPListTemplate(title: "Kept", sections: [CPListSection(items: [CPListItem(text: "a", detailText: nil, image: UIImage(systemName: "star"))])])
            let first = try phone.rooted(list)
            list.updateSections(list.sections)
            phone.disconnect()
            #expect(phone.messages.last == .sceneReply(.with { $0.kind = .disconnected; $0.scene = 1 }))
            phone.clear()
            phone.connect()
            let second = try phone.rooted(list)
            #expect(first !== second)
            #expect(phone.images.map(\.systemName) == ["star"])
            #expect(phone.state(of: list) != nil)
            #expect(phone.state(of: CPNowPlayingTemplate.shared) != nil)
        }

        @Test(arguments: [OtherSpellingDelegate.self, NavigationSceneDelegate.self] as [AnyClass])
        func bothSpellings(_ delegate: AnyClass) {
            let phone = InMemoryPhone(category: delegate == NavigationSceneDelegate.self ? .navigation : .audio, sceneDelegate: delegate)
            phone.disconnect()
            #expect(TestSceneDelegate.events.last == "disconnect")
            #expect(TestSceneDelegate.events.count == 2)
        }

        @Test func aDelegateWithoutTheMethodsRaises() {
            let phone = InMemoryPhone(sceneDelegate: EmptySceneDelegate.self)
            #expect(phone.raises.map(\.name) == ["NSGenericException"])
            #expect(phone.raises[0].reason == "Application does not implement CarPlay template application lifecycle methods in its scene delegate.")
        }

        @Test func plainInitializersAreRun() {
            let phone = InMemoryPhone(sceneDelegate: TwoScreensDelegate.self)
            #expect(TestSceneDelegate.events == ["made"])
            phone.send { $0.traits = .with { $0.dark = true } }
            #expect(TestSceneDelegate.events == ["made", "style 2"])
        }

        @Test func aDeadControllerFailsSoftly() async throws {
            let phone = InMemoryPhone()
            let controller = try phone.rooted()
            phone.answersOperations = false
            var unanswered: [Bool] = []
            controller.pushTemplate(CPListTemplate(title: "Late", sections: []), animated: true) { success, _ in unanswered.append(success) }
            phone.disconnect()
            let late = await outcome { controller.pushTemplate(CPListTemplate(title: "Later", sections: []), animated: true, completion: $0) }
            #expect(late.error?.contains("disconnected") == true)
            controller.popTemplate(animated: true, completion: nil)
            controller.presentTemplate(CPListTemplate(title: nil, sections: []), animated: true, completion: nil)
            #expect(phone.raises.isEmpty)
            #expect(unanswered == [false])
            phone.clear()
            phone.turn()
            #expect(phone.operations.isEmpty)
        }

        @Test func sessionConfigurationHearsOfChanges() throws {
            final class Observer: NSObject, CPSessionConfigurationDelegate {
                var events: [String] = []
                func sessionConfiguration(_ configuration: CPSessionConfiguration, limitedUserInterfacesChanged limited: CPLimitableUserInterface) {
                    events.append("limited \(limited.rawValue)")
                }
                func sessionConfiguration(_ configuration: CPSessionConfiguration, contentStyleChanged contentStyle: CPContentStyle) {
                    events.append("style \(contentStyle.rawValue)")
                }
            }
            let phone = InMemoryPhone()
            let observer = Observer()
            let configuration = CPSessionConfiguration(delegate: observer)
            #expect(configuration.contentStyle == .light)
            phone.send { $0.traits = .with { $0.dark = true } }
            phone.send { $0.traits = .with { $0.dark = true; $0.limitedUi = true } }
            #expect(observer.events == ["style 2", "limited 3"])
            #expect(try phone.controller.carTraitCollection.userInterfaceStyle == .dark)
        }

        @Test func raisingEndsTheProcessLikeAnUncaughtException() async {
            let result = await #expect(processExitsWith: .signal(SIGABRT), observing: [\.standardErrorContent]) {
                await MainActor.run {
                    Faults.raise("NSGenericException", "Application exceeded the hierarchy depth limit")
                }
            }
            let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(text.contains("*** Terminating app due to uncaught exception 'NSGenericException', reason: 'Application exceeded"))
        }
    }
}

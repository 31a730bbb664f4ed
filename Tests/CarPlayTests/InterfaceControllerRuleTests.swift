import CarPlay
import FasciaAppLink
import FasciaAppRuntime
import Testing

extension CarPlayTests {
    /// The interface controller's rules, one by one: with a completion handler an error, without one a raise, two kinds always.
    @MainActor
    struct InterfaceControllerRules {
        private let list = CPListTemplate(title: "List", sections: [])
        private let alert = CPAlertTemplate(titleVariants: ["Alert"], actions: [])

        @Test func pushIsSentAfterTheTemplate() throws {
            let phone = InMemoryPhone()
            let controller = try phone.rooted()
            phone.clear()
            controller.pushTemplate(list, animated: true)
            #expect(phone.messages.isEmpty, "nothing is sent before the turn ends")
            phone.turn()
            #expect(phone.messages.count == 2)
            guard case .upsertTemplate(let state)? = phone.messages.first, case .stackOperation(let operation)? = phone.messages.last else {
                Issue.record("\(phone.messages)")
                return
            }
            #expect(state.id == operation.template)
            #expect(operation.kind == .push)
            #expect(controller.topTemplate === list)
            #expect(controller.templates.count == 2)
        }

        @Test func pushWithoutRoot() async throws {
            let controller = try InMemoryPhone().controller
            let result = await outcome { controller.pushTemplate(list, animated: true, completion: $0) }
            #expect(!result.success)
            #expect(result.error?.contains("root template") == true)
        }

        @Test func modalKindsAreNotPushed() async throws {
            let phone = InMemoryPhone()
            let controller = try phone.rooted()
            let result = await outcome { controller.pushTemplate(alert, animated: true, completion: $0) }
            #expect(result.error == "CPAlertTemplate can only be presented, not pushed.")
            #expect(phone.raises.isEmpty)
            controller.pushTemplate(CPActionSheetTemplate(title: nil, message: nil, actions: []), animated: true, completion: nil)
            #expect(phone.raises.map(\.name) == ["NSInvalidArgumentException"])
            #expect(controller.templates.count == 1)
        }

        @Test func modalKindsAreNoRoot() async throws {
            let controller = try InMemoryPhone().controller
            let result = await outcome { controller.setRootTemplate(alert, animated: true, completion: $0) }
            #expect(result.error?.contains("cannot be the root") == true)
        }

        @Test func otherKindsAreNotPresented() async throws {
            let phone = InMemoryPhone()
            let controller = try phone.rooted()
            let result = await outcome { controller.presentTemplate(list, animated: true, completion: $0) }
            #expect(result.error?.contains("CPListTemplate cannot be presented") == true)
            #expect(result.error?.contains("CPActionSheetTemplate, CPAlertTemplate, CPVoiceControlTemplate") == true)
            controller.presentTemplate(list, animated: true, completion: nil)
            #expect(phone.raises.count == 1)
        }

        @Test func oneModalAtATime() async throws {
            let phone = InMemoryPhone()
            let controller = try phone.rooted()
            controller.presentTemplate(alert, animated: true, completion: nil)
            #expect(controller.presentedTemplate === alert)
            let second = CPAlertTemplate(titleVariants: ["Second"], actions: [])
            let result = await outcome { controller.presentTemplate(second, animated: true, completion: $0) }
            #expect(result.error?.contains("already presented") == true)
            controller.presentTemplate(second, animated: true, completion: nil)
            #expect(phone.raises.map(\.name) == ["NSGenericException"])
        }

        @Test func tabBarIsOnlyARoot() async throws {
            let phone = InMemoryPhone()
            let controller = try phone.rooted()
            let tabs = CPTabBarTemplate(templates: [list])
            let pushed = await outcome { controller.pushTemplate(tabs, animated: true, completion: $0) }
            #expect(pushed.error?.contains("root template, not pushed") == true)
            let presented = await outcome { controller.presentTemplate(tabs, animated: true, completion: $0) }
            #expect(!presented.success)
            controller.setRootTemplate(tabs, animated: true, completion: nil)
            #expect(controller.rootTemplate === tabs)
            #expect(phone.raises.isEmpty)
        }

        @Test func aClassTheCategoryMayNotUseRaisesInAnyCase() throws {
            let phone = InMemoryPhone(category: .audio)
            let controller = try phone.rooted()
            let information = CPInformationTemplate(title: "Info", layout: .leading, items: [], actions: [])
            var called = false
            controller.pushTemplate(information, animated: true) { _, _ in called = true }
            #expect(!called)
            let raise = try #require(phone.raises.first)
            #expect(raise.name == "NSInvalidArgumentException")
            #expect(raise.reason.hasPrefix("Unsupported object <CarPlay.CPInformationTemplate: 0x"))
            #expect(raise.reason.contains("passed to pushTemplate:animated:completion:. Allowed classes: {( CPActionSheetTemplate, CPAlertTemplate"))
            #expect(!raise.reason.contains("CPInformationTemplate,"))
        }

        @Test func aSubclassOfTheAppsOwnIsRefused() throws {
            final class FancyList: CPListTemplate {}
            let phone = InMemoryPhone()
            let controller = try phone.rooted()
            controller.pushTemplate(FancyList(title: "Fancy", sections: []), animated: true) { _, _ in }
            let reason = try #require(phone.raises.first?.reason)
            #expect(reason.contains("FancyList"))
            #expect(reason.contains("CPListTemplate"))
        }

        @Test(arguments: [(AppCategory.audio, 5), (.navigation, 5), (.fueling, 3), (.drivingTask, 3), (.quickOrdering, 2)])
        func depthLimitRaisesInAnyCase(_ category: AppCategory, _ depth: Int) throws {
            let phone = InMemoryPhone(category: category)
            let controller = try phone.rooted()
            for level in 1 ..< depth { controller.pushTemplate(CPListTemplate(title: "\(level)", sections: []), animated: false) }
            phone.turn()
            #expect(phone.raises.isEmpty)
            #expect(controller.templates.count == depth)
            var called = false
            controller.pushTemplate(list, animated: true) { _, _ in called = true }
            #expect(!called)
            #expect(phone.raises.map(\.name) == ["NSGenericException"])
            #expect(phone.raises[0].reason.contains("Application exceeded the hierarchy depth limit"))
            #expect(controller.templates.count == depth)
        }

        @Test func theLimitDependsOnTheGuidesEdition() {
            #expect(CategoryLimits.depth(.drivingTask, mid2025: true) == 2)
            #expect(CategoryLimits.depth(.drivingTask, mid2025: false) == 3)
        }

        @Test func onlyAListGoesAboveNowPlaying() async throws {
            let phone = InMemoryPhone()
            let controller = try phone.rooted()
            controller.pushTemplate(CPNowPlayingTemplate.shared, animated: true, completion: nil)
            let grid = CPGridTemplate(title: "Grid", gridButtons: [])
            let refused = await outcome { controller.pushTemplate(grid, animated: true, completion: $0) }
            #expect(refused.error == "Only CPListTemplate can be pushed on top of CPNowPlayingTemplate, not CPGridTemplate.")
            controller.pushTemplate(list, animated: true, completion: nil)
            #expect(controller.topTemplate === list)
            #expect(phone.raises.isEmpty)
        }

        @Test func theSameInstanceTwice() async throws {
            let phone = InMemoryPhone()
            let controller = try phone.rooted()
            controller.pushTemplate(list, animated: true, completion: nil)
            let result = await outcome { controller.pushTemplate(list, animated: true, completion: $0) }
            #expect(result.error == "Pushing the same template instance more than once is not supported.")
            controller.pushTemplate(list, animated: true, completion: nil)
            #expect(phone.raises.count == 1)
        }

        @Test func whatCannotBeDrawnSaysSo() async throws {
            let controller = try InMemoryPhone(category: .navigation).controller
            let result = await outcome { controller.setRootTemplate(CPMapTemplate(), animated: true, completion: $0) }
            #expect(result.error == "CPMapTemplate is declared, but this version of Fascia cannot draw it.")
        }

        @Test func nothingToPop() async throws {
            let phone = InMemoryPhone()
            let controller = try phone.rooted()
            #expect(await !outcome { controller.popTemplate(animated: true, completion: $0) }.success)
            #expect(await !outcome { controller.pop(to: list, animated: true, completion: $0) }.success)
            #expect(await !outcome { controller.dismissTemplate(animated: true, completion: $0) }.success)
            controller.popTemplate(animated: true, completion: nil)
            #expect(phone.raises.count == 1)
        }

        @Test func popOperations() throws {
            let phone = InMemoryPhone()
            let controller = try phone.rooted()
            let levels = (0 ..< 3).map { CPListTemplate(title: "\($0)", sections: []) }
            for level in levels { controller.pushTemplate(level, animated: false) }
            controller.pop(to: levels[0], animated: true)
            #expect(controller.topTemplate === levels[0])
            controller.pushTemplate(levels[1], animated: true)
            controller.popTemplate(animated: true)
            #expect(controller.topTemplate === levels[0])
            controller.popToRootTemplate(animated: true)
            #expect(controller.templates.count == 1)
            phone.turn()
            #expect(phone.operations.map(\.kind) == [.setRoot, .push, .push, .push, .popTo, .push, .pop, .popToRoot])
            #expect(phone.raises.isEmpty)
        }

        @Test func asyncFormsReturnAndThrow() async throws {
            let phone = InMemoryPhone()
            let controller = try phone.rooted()
            let list = list
            let push = Task { try await controller.pushTemplate(list, animated: true) }
            while phone.operations.count < 2 {
                await Task.yield()
                phone.turn()
            }
            #expect(try await push.value)
            await #expect(throws: (any Error).self) { try await controller.pushTemplate(list, animated: true) }
            await #expect(throws: (any Error).self) { try await controller.dismissTemplate(animated: true) }
        }
    }
}

/// The table of limits, as tests read it.
@MainActor
enum CategoryLimits {
    static func depth(_ category: AppCategory, mid2025: Bool) -> Int {
        CategoryRules.rules(for: category, edition: mid2025 ? .mid2025 : .june2026).depth
    }
}

import CarPlay
import FasciaAppLink
import Testing

extension CarPlayTests {
    /// What the phone answers and reports, and what crosses on the way.
    @MainActor
    struct InterfaceControllerAndPhone {
        private let list = CPListTemplate(title: "List", sections: [])

        @Test func completionWaitsForThePhone() async throws {
            let phone = InMemoryPhone()
            let controller = try phone.rooted()
            phone.answersOperations = false
            var results: [Bool] = []
            controller.pushTemplate(list, animated: true) { success, _ in results.append(success) }
            phone.turn()
            await Task.yield()
            #expect(results.isEmpty)
            phone.answer(try #require(phone.operations.last), success: true)
            while results.isEmpty { await Task.yield() }
            #expect(results == [true])
        }

        @Test func refusalOfThePhoneTakesThePushBack() async throws {
            let phone = InMemoryPhone()
            let controller = try phone.rooted()
            phone.answersOperations = false
            let result = await outcome { completion in
                controller.pushTemplate(list, animated: true, completion: completion)
                phone.turn()
                if let operation = phone.operations.last { phone.answer(operation, success: false, error: "no room") }
            }
            #expect(result.error == "no room")
            #expect(controller.templates.count == 1)
            #expect(phone.raises.isEmpty)
        }

        @Test func driverGoesBack() throws {
            let phone = InMemoryPhone()
            let controller = try phone.rooted()
            controller.pushTemplate(list, animated: true)
            phone.turn()
            phone.send { $0.userPopped = .with { $0.template = list.templateID } }
            #expect(controller.templates.count == 1)
            controller.popTemplate(animated: true)
            #expect(phone.raises.isEmpty, "the app could not know")
        }

        @Test func popCrossingTheDriversBackIsNoFailure() async throws {
            let phone = InMemoryPhone()
            let controller = try phone.rooted()
            controller.pushTemplate(list, animated: true, completion: nil)
            phone.turn()
            phone.answersOperations = false
            let result = await outcome { completion in
                controller.popTemplate(animated: true, completion: completion)
                phone.turn()
                phone.send { $0.userPopped = .with { $0.template = list.templateID } }
                if let operation = phone.operations.last {
                    #expect(operation.template == list.templateID)
                    phone.answer(operation, success: false, error: "another template is on top")
                }
            }
            #expect(result.success)
            #expect(controller.templates.count == 1)
        }

        @Test func dismissalInAnActionHandlerAfterTheChoice() throws {
            let phone = InMemoryPhone()
            let controller = try phone.rooted()
            let action = CPAlertAction(title: "OK", style: .default) { _ in controller.dismissTemplate(animated: true) }
            let alert = CPAlertTemplate(titleVariants: ["Sure?"], actions: [action])
            controller.presentTemplate(alert, animated: true)
            phone.turn()
            let element = try #require(phone.state(of: alert)?.alert.actions.first?.element)
            phone.send { $0.userDismissed = .with { $0.template = alert.templateID } }
            phone.activate(element, in: alert)
            #expect(controller.presentedTemplate == nil)
            #expect(phone.raises.isEmpty)
        }

        @Test func appearancesReachTheDelegateEvenOfTemplatesThatLeft() throws {
            final class Observer: NSObject, CPInterfaceControllerDelegate {
                var events: [String] = []
                func templateWillAppear(_ aTemplate: CPTemplate, animated: Bool) { events.append("will \(name(aTemplate))") }
                func templateDidAppear(_ aTemplate: CPTemplate, animated: Bool) { events.append("did \(name(aTemplate))") }
                func templateDidDisappear(_ aTemplate: CPTemplate, animated: Bool) { events.append("gone \(name(aTemplate))") }
                private func name(_ template: CPTemplate) -> String { (template as? CPListTemplate)?.title ?? "" }
            }
            let phone = InMemoryPhone()
            let controller = try phone.rooted()
            let observer = Observer()
            controller.delegate = observer
            controller.pushTemplate(list, animated: true)
            phone.turn()
            phone.lifecycle(list, .willAppear)
            phone.lifecycle(list, .didAppear)
            controller.popTemplate(animated: true)
            phone.turn()
            phone.lifecycle(list, .willDisappear)
            phone.lifecycle(list, .didDisappear)
            phone.lifecycle(list, .didDisappear)
            #expect(observer.events == ["will List", "did List", "gone List"])
        }

        @Test func nowPlayingShownByTheSystemIsOnTheStack() throws {
            let phone = InMemoryPhone()
            let controller = try phone.rooted()
            #expect(phone.state(of: CPNowPlayingTemplate.shared) != nil, "the phone has it from the connection on")
            phone.lifecycle(CPNowPlayingTemplate.shared, .willAppear)
            #expect(controller.topTemplate === CPNowPlayingTemplate.shared)
            phone.send { $0.userPopped = .with { $0.template = CPNowPlayingTemplate.shared.templateID } }
            #expect(controller.templates.count == 1)
        }

        @Test func templatesTheAppDropsAreReleased() throws {
            let phone = InMemoryPhone()
            let controller = try phone.rooted()
            var id: UInt64 = 0
            do {
                let temporary = CPListTemplate(title: "Temporary", sections: [])
                id = temporary.templateID
                controller.pushTemplate(temporary, animated: true)
                phone.turn()
                controller.popTemplate(animated: true)
                phone.turn()
                phone.lifecycle(temporary, .didDisappear)
            }
            phone.turn()
            let released = phone.messages.flatMap { message -> [UInt64] in
                if case .releaseTemplates(let release) = message { release.ids } else { [] }
            }
            #expect(released.contains(id))
        }
    }
}

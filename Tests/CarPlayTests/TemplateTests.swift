import CarPlay
import FasciaAppLink
import FasciaAppRuntime
import Testing

extension CarPlayTests {
    /// Tab bar, grid, information, alerts, Now Playing.
    @MainActor
    struct Templates {
        private func lists(_ count: Int) -> [CPListTemplate] { (0 ..< count).map { CPListTemplate(title: "\($0)", sections: []) } }

        @Test func tooManyTabsRaise() {
            let audio = InMemoryPhone(category: .audio)
            #expect(CPTabBarTemplate.maximumTabCount == 4)
            _ = CPTabBarTemplate(templates: lists(4))
            #expect(audio.raises.isEmpty)
            _ = CPTabBarTemplate(templates: lists(5))
            #expect(audio.raises.count == 1)
            #expect(audio.raises[0].reason.contains("5 templates exceeds the maximum of 4"))
            let parking = InMemoryPhone(category: .parking)
            _ = CPTabBarTemplate(templates: lists(5))
            #expect(parking.raises.isEmpty)
        }

        @Test func whatCannotBeATabRaises() {
            let phone = InMemoryPhone()
            _ = CPTabBarTemplate(templates: [CPNowPlayingTemplate.shared])
            #expect(phone.raises.count == 1)
            #expect(phone.raises[0].reason.contains("Allowed classes: {( CPGridTemplate, CPInformationTemplate, CPListTemplate, CPPointOfInterestTemplate )}"))
        }

        @Test func eachTabHasItsStack() throws {
            final class Observer: NSObject, CPTabBarTemplateDelegate {
                var selected: [String] = []
                func tabBarTemplate(_ tabBarTemplate: CPTabBarTemplate, didSelect selectedTemplate: CPTemplate) {
                    selected.append((selectedTemplate as? CPListTemplate)?.title ?? "")
                }
            }
            let phone = InMemoryPhone()
            let tabs = lists(2)
            let tabBar = CPTabBarTemplate(templates: tabs)
            let observer = Observer()
            tabBar.delegate = observer
            let controller = try phone.rooted(tabBar)
            func select(_ index: Int) {
                phone.send { $0.tabSelected = .with { $0.tabBar = tabBar.templateID; $0.template = tabs[index].templateID } }
            }
            select(0)
            select(0)
            let pushed = CPListTemplate(title: "Pushed", sections: [])
            controller.pushTemplate(pushed, animated: true)
            phone.turn()
            #expect(controller.topTemplate === pushed)
            select(1)
            #expect(observer.selected == ["0", "0", "1"])
            #expect(controller.topTemplate === tabBar)
            select(0)
            #expect(controller.topTemplate === pushed)
        }

        @Test func aPushCrossingATabChangeIsWhereThePhonePutIt() throws {
            let phone = InMemoryPhone()
            let tabs = lists(2)
            let tabBar = CPTabBarTemplate(templates: tabs)
            let controller = try phone.rooted(tabBar)
            phone.answersOperations = false
            let pushed = CPListTemplate(title: "Pushed", sections: [])
            controller.pushTemplate(pushed, animated: true)
            phone.turn()
            phone.send { $0.tabSelected = .with { $0.tabBar = tabBar.templateID; $0.template = tabs[1].templateID } }
            phone.answer(try #require(phone.operations.last), success: true)
            #expect(controller.topTemplate === pushed)
            phone.send { $0.tabSelected = .with { $0.tabBar = tabBar.templateID; $0.template = tabs[0].templateID } }
            #expect(controller.topTemplate === tabBar)
        }

        @Test func tabsAreDescribedAndSelected() throws {
            let phone = InMemoryPhone()
            let tabs = lists(2)
            tabs[0].tabTitle = "Music"
            tabs[1].tabSystemItem = .search
            tabs[1].showsTabBadge = true
            let tabBar = CPTabBarTemplate(templates: tabs)
            _ = try phone.rooted(tabBar)
            #expect(phone.state(of: tabs[0])?.tabTitle == "Music")
            #expect(phone.state(of: tabs[0])?.tabSystemItem == -1)
            #expect(phone.state(of: tabs[1])?.tabSystemItem == Int32(UITabBarItem.SystemItem.search.rawValue))
            tabBar.selectTemplate(at: 1)
            #expect(tabBar.selectedTemplate === tabs[1])
            tabBar.updateTemplates([tabs[0]])
            #expect(tabBar.selectedTemplate === tabs[0])
            phone.turn()
            #expect(phone.state(of: tabBar)?.tabBar.templates == [tabs[0].templateID])
            tabBar.selectTemplate(at: 7)
            #expect(phone.raises.count == 1)
        }

        @Test func gridShowsEight() throws {
            let phone = InMemoryPhone()
            var pressed: [Int] = []
            let buttons = (0 ..< 10).map { number in
                CPGridButton(titleVariants: ["\(number)"], image: UIImage(systemName: "star") ?? UIImage()) { _ in pressed.append(number) }
            }
            let grid = CPGridTemplate(title: "Grid", gridButtons: buttons)
            _ = try phone.rooted(grid)
            let sent = try #require(phone.state(of: grid)?.grid.buttons)
            #expect(sent.count == CPGridTemplateMaximumItems)
            phone.activate(sent[7].element, in: grid)
            #expect(pressed == [7])
            buttons[0].isEnabled = false
            grid.updateTitle("New")
            phone.turn()
            #expect(phone.state(of: grid)?.grid.title == "New")
            #expect(phone.state(of: grid)?.grid.buttons[0].enabled == false)
        }

        @Test func alertsKeepTheLastActions() throws {
            let phone = InMemoryPhone()
            let controller = try phone.rooted()
            var chosen = ""
            let actions = (0 ..< 5).map { number in CPAlertAction(title: "\(number)", style: .default) { chosen = $0.title } }
            let alert = CPAlertTemplate(titleVariants: ["Long", "Short"], actions: actions)
            #expect(alert.actions.count == CPAlertTemplate.maximumActionCount)
            #expect(alert.actions.last === actions.last)
            controller.presentTemplate(alert, animated: true)
            phone.turn()
            let sent = try #require(phone.state(of: alert)?.alert)
            #expect(sent.titleVariants == ["Long", "Short"])
            phone.activate(try #require(sent.actions.last?.element), in: alert)
            #expect(chosen == "4")
        }

        @Test func informationLimits() throws {
            let phone = InMemoryPhone(category: .charging)
            let items: [CPInformationItem] = (0 ..< 11).map { CPInformationItem(title: "\($0)", detail: nil) }
            let actions = (0 ..< 4).map { CPTextButton(title: "\($0)", textStyle: .confirm) }
            let rating = CPInformationRatingItem(rating: 3.3, maximumRating: 9, title: "Rating", detail: nil)
            let information = CPInformationTemplate(title: "Info", layout: .twoColumn, items: [rating] + items, actions: actions)
            _ = try phone.rooted(information)
            let sent = try #require(phone.state(of: information)?.information)
            #expect(sent.items.count == 10)
            #expect(sent.actions.count == 3)
            #expect(sent.twoColumn)
            #expect(sent.items[0].rating == 3.5)
            #expect(sent.items[0].maximumRating == 5)
        }

        @Test func nowPlaying() throws {
            final class Observer: NSObject, CPNowPlayingTemplateObserver {
                var taps = 0
                func nowPlayingTemplateUpNextButtonTapped(_ nowPlayingTemplate: CPNowPlayingTemplate) { taps += 1 }
            }
            let phone = InMemoryPhone()
            let template = CPNowPlayingTemplate.shared
            #expect(template === CPNowPlayingTemplate.shared)
            let observer = Observer()
            template.add(observer)
            template.add(observer)
            var pressed = 0
            template.updateNowPlayingButtons((0 ..< 7).map { _ in CPNowPlayingRepeatButton { _ in pressed += 1 } })
            template.isUpNextButtonEnabled = true
            _ = try phone.rooted()
            let sent = try #require(phone.state(of: template)?.nowPlaying)
            #expect(sent.buttons.count == 5)
            #expect(sent.buttons[0].kind == .repeat)
            #expect(sent.upNextEnabled)
            phone.activate(sent.buttons[0].element, in: template)
            #expect(pressed == 1)
            phone.send { $0.nowPlayingTapped = .with { $0.what = .upNext } }
            phone.send { $0.nowPlayingTapped = .with { $0.what = .albumArtist } }
            #expect(observer.taps == 1)
            template.remove(observer)
            phone.send { $0.nowPlayingTapped = .with { $0.what = .upNext } }
            #expect(observer.taps == 1)
        }
    }
}

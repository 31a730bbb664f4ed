import CarPlay
import FasciaAppLink
import FasciaAppRuntime
import Foundation
import Testing

extension CarPlayTests {
    /// Lists: rows, limits, row updates, selections.
    @MainActor
    struct Lists {
        private func shown(_ items: [any CPListTemplateItem], phone: InMemoryPhone, title: String = "List") throws -> CPListTemplate {
            let list = CPListTemplate(title: title, sections: [CPListSection(items: items)])
            _ = try phone.rooted(list)
            return list
        }

        private func element(_ row: Int, of list: CPListTemplate, _ phone: InMemoryPhone) throws -> UInt64 {
            try #require(phone.state(of: list)?.list.sections.first?.items[row].element)
        }

        @Test func rowsAreDescribed() throws {
            let phone = InMemoryPhone()
            let plain = CPListItem(text: "Plain", detailText: nil)
            let rich = CPListItem(
                text: "Rich", detailText: "", image: UIImage(systemName: "star"), accessoryImage: nil, accessoryType: .cloud)
            rich.isExplicitContent = true
            rich.playbackProgress = 2
            rich.isPlaying = true
            rich.playingIndicatorLocation = .trailing
            rich.handler = { _, done in done() }
            let list = try shown([plain, rich], phone: phone)
            let items = try #require(phone.state(of: list)?.list.sections.first?.items)
            #expect(!items[0].hasDetail_p)
            #expect(!items[0].selectable)
            #expect(items[1].hasDetail_p)
            #expect(items[1].accessory == .cloud)
            #expect(items[1].explicit && items[1].playing && items[1].playingIndicatorTrailing && items[1].selectable)
            #expect(items[1].progress == 1)
            #expect(phone.images.map(\.systemName) == ["star"])
        }

        @Test func rowsBeyondTheLimitAreNotSent() throws {
            let phone = InMemoryPhone()
            let items = (0 ..< 20).map { CPListItem(text: "\($0)", detailText: nil) }
            let list = CPListTemplate(
                title: nil, sections: [CPListSection(items: Array(items[..<10])), CPListSection(items: Array(items[10...]))])
            _ = try phone.rooted(list)
            #expect(phone.state(of: list)?.list.sections.map(\.items.count) == [10, 2])
            #expect(list.itemCount == 20)
            #expect(CPListTemplate.maximumItemCount == 12)
            phone.send { $0.traits = .with { $0.maximumListItems = 24 } }
            phone.turn()
            #expect(phone.state(of: list)?.list.sections.map(\.items.count) == [10, 10])
        }

        @Test func aChangedRowIsSentAlone() throws {
            let phone = InMemoryPhone()
            let items = (0 ..< 3).map { CPListItem(text: "\($0)", detailText: nil) }
            _ = try shown(items, phone: phone)
            phone.clear()
            items[1].setText("changed")
            items[1].isPlaying = true
            items[1].isPlaying = true
            phone.turn()
            #expect(phone.messages.count == 1)
            #expect(phone.updates.map(\.item.text) == ["changed"])
        }

        @Test func newSectionsAreSentOnceATurn() throws {
            let phone = InMemoryPhone()
            let item = CPListItem(text: "a", detailText: nil)
            let list = try shown([item], phone: phone)
            phone.clear()
            for number in 0 ..< 50 {
                item.setText("\(number)")
                list.updateSections([CPListSection(items: [item])])
            }
            phone.turn()
            #expect(phone.messages.count == 1)
            #expect(phone.state(of: list)?.list.sections.first?.items.first?.text == "49")
        }

        /// [AM-11]
        @Test func spinnerEndsWhenTheHandlerCompletes() async throws {
            let phone = InMemoryPhone()
            let item = CPListItem(text: "Slow", detailText: nil)
            var completion: (() -> Void)?
            item.handler = { _, done in completion = done }
            let list = try shown([item], phone: phone)
            phone.activate(try element(0, of: list, phone), in: list, selection: 5)
            #expect(phone.completions.isEmpty)
            let done = try #require(completion)
            done()
            done()
            #expect(await phone.completed(1) == [5])
        }

        @Test func completionFromAnotherThread() async throws {
            let phone = InMemoryPhone()
            let item = CPListItem(text: "Slow", detailText: nil)
            item.handler = { _, done in
                let box = UncheckedBox(value: done)
                DispatchQueue.global().async { box.value() }
            }
            let list = try shown([item], phone: phone)
            phone.activate(try element(0, of: list, phone), in: list, selection: 6)
            #expect(await phone.completed(1) == [6])
        }

        @Test func selectionsThatReachNobodyEndTheirSpinner() throws {
            let phone = InMemoryPhone()
            let disabled = CPListItem(text: "Off", detailText: nil)
            var called = false
            disabled.handler = { _, _ in called = true }
            disabled.isEnabled = false
            let list = try shown([disabled, CPListItem(text: "No handler", detailText: nil)], phone: phone)
            phone.activate(try element(0, of: list, phone), in: list, selection: 1)
            phone.activate(try element(1, of: list, phone), in: list, selection: 2)
            phone.activate(999_999, in: list, selection: 3)
            phone.send { $0.elementActivated = .with { $0.template = 888_888; $0.element = 1; $0.selection = 4 } }
            phone.turn()
            #expect(!called)
            #expect(phone.completions == [1, 2, 3, 4])
        }

        @Test func theOlderDelegateServesRowsWithoutHandler() async throws {
            final class Completing: NSObject, CPListTemplateDelegate {
                var selected: [String] = []
                func listTemplate(_ listTemplate: CPListTemplate, didSelect item: CPListItem, completionHandler: @escaping () -> Void) {
                    selected.append(item.text ?? "")
                    completionHandler()
                }
            }
            final class Waiting: NSObject, CPListTemplateDelegate {
                func listTemplate(_ listTemplate: CPListTemplate, didSelect item: CPListItem) async { await Task.yield() }
            }
            let phone = InMemoryPhone()
            let own = CPListItem(text: "Own", detailText: nil)
            own.handler = { _, done in done() }
            let list = try shown([CPListItem(text: "Delegated", detailText: nil), own], phone: phone)
            let completing = Completing()
            list.delegate = completing
            phone.turn()
            #expect(phone.state(of: list)?.list.sections.first?.items.map(\.selectable) == [true, true])
            phone.activate(try element(0, of: list, phone), in: list, selection: 1)
            phone.activate(try element(1, of: list, phone), in: list, selection: 2)
            #expect(completing.selected == ["Delegated"])
            #expect(await phone.completed(2) == [1, 2])
            let waiting = Waiting()
            list.delegate = waiting
            phone.activate(try element(0, of: list, phone), in: list, selection: 3)
            #expect(await phone.completed(3) == [1, 2, 3])
        }

        @Test func imageRow() async throws {
            let phone = InMemoryPhone()
            let images = (0 ..< 10).compactMap { _ in UIImage(systemName: "star") }
            let row = CPListImageRowItem(text: "Images", images: images, imageTitles: ["First"])
            var chosen: [Int] = []
            row.listImageRowHandler = { _, index, done in
                chosen.append(index)
                done()
            }
            row.handler = { _, done in
                chosen.append(-1)
                done()
            }
            let list = try shown([row], phone: phone)
            let sent = try #require(phone.state(of: list)?.list.sections.first?.items.first)
            #expect(sent.imageRow.elements.count == CPMaximumNumberOfGridImages)
            #expect(sent.imageRow.elements[0].title == "First")
            #expect(phone.images.count == 1, "the same symbol is sent once")
            phone.activate(sent.element, in: list, selection: 1, index: 3)
            phone.activate(sent.element, in: list, selection: 2)
            phone.activate(sent.element, in: list, selection: 3, index: 77)
            #expect(chosen == [3, -1])
            #expect(await phone.completed(3).sorted() == [1, 2, 3])
            phone.clear()
            row.elements[0].isEnabled = false
            phone.turn()
            #expect(phone.updates.count == 1)
        }

        @Test func barButtons() throws {
            let phone = InMemoryPhone()
            let list = CPListTemplate(title: nil, sections: [])
            var pressed: [String] = []
            let buttons = ["a", "b", "c"].map { title in CPBarButton(title: title) { pressed.append($0.title ?? "") } }
            list.trailingNavigationBarButtons = buttons
            _ = try phone.rooted(list)
            let sent = try #require(phone.state(of: list)?.trailingButtons)
            #expect(sent.map(\.title) == ["a", "b"])
            phone.activate(sent[1].element, in: list)
            buttons[1].isEnabled = false
            phone.turn()
            #expect(phone.state(of: list)?.trailingButtons[1].enabled == false)
            phone.activate(sent[1].element, in: list)
            #expect(pressed == ["b"])
            #expect(CPBarButton(type: .image).buttonType == .image)
        }

        @Test func slowPhoneHoldsChangesBackAndMergesThem() throws {
            let phone = InMemoryPhone()
            let item = CPListItem(text: "0", detailText: nil)
            _ = try shown([item], phone: phone)
            phone.clear()
            phone.setQueued(AppLinkLimits.highWater)
            for number in 1 ... 1_000 {
                item.setText("\(number)")
                phone.turn()
            }
            #expect(phone.messages.isEmpty)
            phone.setQueued(0)
            phone.turn()
            #expect(phone.updates.map(\.item.text) == ["1000"])
        }

        @Test func indexPaths() {
            let items = (0 ..< 3).map { CPListItem(text: "\($0)", detailText: nil) }
            let list = CPListTemplate(title: nil, sections: [CPListSection(items: [items[0]]), CPListSection(items: [items[1], items[2]])])
            #expect(list.indexPath(for: items[2]) == IndexPath(row: 1, section: 1))
            #expect(list.indexPath(for: CPListItem(text: nil, detailText: nil)) == nil)
            #expect(list.sections[0].index(of: items[2]) == NSNotFound)
        }
    }
}

/// Takes a completion block to another thread, as app code does.
struct UncheckedBox<Value>: @unchecked Sendable {
    let value: Value
}

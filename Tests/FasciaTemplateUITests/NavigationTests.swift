import FasciaAppLink
import Testing
@testable import FasciaTemplateUI

@Suite struct NavigationTests {
    func names(_ messages: [AppToApp.OneOf_Message]) -> [String] {
        messages.map { message in
            switch message {
            case .lifecycle(let call): "\(call.phase)\(call.template)"
            case .stackResult(let result): "\(result.success ? "ok" : "failed")\(result.operation)"
            case .userPopped(let popped): "popped\(popped.template)"
            case .userDismissed(let dismissed): "dismissed\(dismissed.template)"
            case .elementActivated(let activated): "activated\(activated.element)" + (activated.hasIndex_p ? ".\(activated.index)" : "")
            case .tabSelected(let tab): "tab\(tab.template)" + (tab.initial ? "!" : "")
            case .sceneActivation(let activation): activation.foreground ? "front" : "back"
            case .remoteCommand(let command): "\(command.kind)"
            case .nowPlayingTapped(let tapped): "\(tapped.what)"
            default: "other"
            }
        }
    }

    func phone(_ root: AppTemplate = list(1, "Library", [listItem(1, "First", "One"), listItem(2, "Second"), listItem(3, "Third")])) throws -> FakePhone {
        let phone = try FakePhone()
        phone.launch()
        phone.upsert(root)
        phone.operate(.setRoot, root.id)
        phone.settle()
        return phone
    }

    @Test func launchIsAskedForOnce() throws {
        let phone = try FakePhone()
        phone.tap("Rubber Soul")
        phone.settle()
        phone.key(.home)
        phone.settle()
        phone.tap("Rubber Soul")
        phone.settle()
        #expect(phone.others.filter { if case .launch = $0 { true } else { false } } == [.launch(FakePhone.app)])
        #expect(phone.node("launching")?.busy == true)
    }

    /// [AM-8]: one answer to each operation; refused ones below.
    @Test func firstRootAppears() throws {
        let phone = try phone()
        #expect(names(phone.messages()) == ["willAppear1", "didAppear1", "ok1"])
        #expect(phone.node("First")?.value == "One")
    }

    @Test func animatedPushCompletesAtItsEnd() throws {
        let phone = try phone()
        _ = phone.messages()
        phone.upsert(list(2, "Detail", [listItem(9, "Row")]))
        phone.operate(.push, 2, animated: true)
        #expect(names(phone.messages()) == ["willDisappear1", "willAppear2"])
        let during = phone.frame()
        #expect(during.layers.contains { $0.animations.contains { $0.property == .x } })
        phone.settle()
        #expect(names(phone.messages()) == ["didDisappear1", "didAppear2", "ok2"])
        #expect(phone.node("back") != nil && phone.node("Detail") != nil)
        #expect(!phone.frame().layers.contains { $0.animations.contains { $0.property == .x } })
    }

    @Test func backPopsAndTells() throws {
        let phone = try phone()
        phone.upsert(list(2, "Detail"))
        phone.operate(.push, 2)
        _ = phone.messages()
        phone.tap("back")
        phone.settle()
        #expect(names(phone.messages()) == ["popped2", "willDisappear2", "willAppear1", "didDisappear2", "didAppear1"])
        phone.key(.back) // at the root: home
        phone.settle()
        #expect(names(phone.messages()) == ["back", "willDisappear1", "didDisappear1"])
        #expect(phone.node("screen")?.label == "Home")
    }

    @Test func selectionSpinsUntilCompleted() throws {
        let phone = try phone()
        _ = phone.messages()
        phone.tap("Second")
        let messages = phone.messages()
        guard case .elementActivated(let activated)? = messages.first else { Issue.record("no activation"); return }
        #expect(activated.template == 1 && activated.element == 2 && activated.selection != 0)
        #expect(phone.node("Second")?.busy == true)
        #expect(phone.frame().layers.contains { $0.animations.contains { $0.property == .rotation } })
        phone.tap("Second") // it is busy
        #expect(phone.messages().isEmpty)
        phone.app { $0.selectionCompleted.selection = activated.selection }
        #expect(phone.node("Second")?.busy == false)
        phone.tap("Second")
        #expect(names(phone.messages()) == ["activated2"])
    }

    @Test func imageOfARowIsActivatedByIndex() throws {
        let phone = try phone(list(1, "Library", [listItem(1, "Mixes") { $0.imageRow = Gallery.imageRow(["A", "B", "C"], subtitles: false) }]))
        _ = phone.messages()
        phone.tap("B")
        #expect(names(phone.messages()) == ["activated1.1"])
    }

    @Test func alertLeavesWithAChoiceAndTheAppMayDismissToo() throws {
        let phone = try phone()
        phone.upsert(alert(5, ["Offline"], [(1, "Retry", .default), (2, "Cancel", .cancel)]))
        phone.operate(.present, 5)
        _ = phone.messages()
        #expect(phone.node("First") == nil) // what is behind cannot be reached
        phone.tap("Retry")
        #expect(names(phone.messages()) == ["activated1", "dismissed5", "willDisappear5", "didDisappear5"])
        phone.operate(.dismiss, 5)
        #expect(names(phone.messages()) == ["ok3"])
        phone.operate(.dismiss)
        #expect(names(phone.messages()) == ["failed4"])
        phone.operate(.present, 5)
        phone.key(.back) // cancel
        #expect(names(phone.messages()).contains("activated2"))
    }

    @Test func tabsAreSelectedAndRetapped() throws {
        let phone = try FakePhone()
        phone.launch()
        phone.upsert(list(10, "One", [listItem(1, "Row one")]) { $0.tabTitle = "One" })
        phone.upsert(list(11, "Two", [listItem(2, "Row two")]) { $0.tabTitle = "Two" })
        phone.upsert(tabBar(9, [10, 11]))
        phone.operate(.setRoot, 9)
        phone.settle()
        #expect(names(phone.messages()) == ["tab10!", "willAppear9", "willAppear10", "didAppear9", "didAppear10", "ok1"])
        phone.tap("Two")
        #expect(names(phone.messages()) == ["tab11", "willDisappear10", "willAppear11", "didDisappear10", "didAppear11"])
        phone.tap("Two")
        #expect(names(phone.messages()) == ["tab11"])
        #expect(phone.node("tab.1")?.selected == true && phone.node("Row two") != nil)
    }

    @Test func nowPlayingFromHomeLeadsBackToTheRoot() throws {
        let phone = try phone()
        phone.upsert(list(2, "Detail"))
        phone.operate(.push, 2)
        phone.upsert(nowPlayingTemplate(9))
        phone.app { $0.nowPlaying.present = true; $0.nowPlaying.title = "Song"; $0.nowPlaying.rate = 1; $0.nowPlaying.duration = 100; $0.nowPlaying.asOfNs = phone.now }
        phone.key(.home)
        phone.settle()
        _ = phone.messages()
        phone.tap("Now Playing")
        phone.settle()
        #expect(phone.node("Song") != nil)
        #expect(names(phone.messages()).filter { $0.hasSuffix("9") } == ["willAppear9", "didAppear9"])
        phone.tap("back")
        phone.settle()
        #expect(names(phone.messages()).filter { $0.hasPrefix("popped") } == ["popped9", "popped2"])
        #expect(phone.node("First") != nil)
        // From the bar button: back to where it was pressed.
        phone.tap("nowplaying")
        phone.settle()
        phone.key(.back)
        phone.settle()
        #expect(names(phone.messages()).filter { $0.hasPrefix("popped") } == ["popped9"])
    }

    /// What a head unit makes of the bar: an id it knows keeps the start it had, whatever the values are now.
    @Test func theBarIsWhereTheTimeIs() throws {
        let phone = try phone()
        phone.upsert(nowPlayingTemplate(9))
        let begin = phone.now
        phone.app { $0.nowPlaying.present = true; $0.nowPlaying.title = "Song"; $0.nowPlaying.rate = 1; $0.nowPlaying.duration = 100; $0.nowPlaying.elapsed = 10; $0.nowPlaying.asOfNs = phone.now }
        phone.operate(.push, 9)
        phone.settle()
        var started: [UInt32: UInt64] = [:]
        for _ in 0..<40 {
            let layer = try #require(phone.frame().layers.first { $0.animations.contains { $0.property == .width } })
            let bar = layer.animations[0], start = started[bar.id] ?? phone.now
            started[bar.id] = start
            let shown = bar.from + (bar.to - bar.from) * Float(phone.now - start) / 1e6 / Float(bar.milliseconds)
            let elapsed = 10 + Float(phone.now - begin) / 1e9
            #expect(abs(shown - bar.to * elapsed / 100) <= 3)
            phone.now += 1_000_000_000
            phone.ui.advance(now: phone.now)
        }
    }

    @Test func elapsedTimeIsInferred() throws {
        let phone = try phone()
        phone.upsert(nowPlayingTemplate(9))
        phone.app { $0.nowPlaying.present = true; $0.nowPlaying.title = "Song"; $0.nowPlaying.rate = 1; $0.nowPlaying.duration = 100; $0.nowPlaying.elapsed = 10; $0.nowPlaying.asOfNs = phone.now }
        phone.operate(.push, 9)
        #expect(phone.node("nowplaying.progress")?.value == "0:10 of 1:40")
        let deadline = try #require(phone.ui.nextDeadline)
        #expect(deadline - phone.now <= 1_000_000_000)
        phone.now += 5_000_000_000
        phone.ui.advance(now: phone.now)
        #expect(phone.node("nowplaying.progress")?.value == "0:15 of 1:40")
        phone.now += 500_000_000_000
        phone.ui.advance(now: phone.now)
        #expect(phone.node("nowplaying.progress")?.value == "1:40 of 1:40")
        #expect(phone.ui.nextDeadline == nil)
    }

    @Test func crashShowsANoticeThatNamesTheApp() throws {
        let phone = try phone()
        phone.ui.applicationState(FakePhone.app, .stopped(reason: nil))
        #expect(phone.node("Rubber Soul stopped")?.role == .alert)
        phone.upsert(list(2, "Late message of a dead process"))
        phone.tap("OK")
        #expect(phone.node("Rubber Soul stopped") == nil && phone.node("app.\(FakePhone.app)") != nil)
        phone.others = []
        phone.tap("Rubber Soul")
        phone.drain()
        #expect(phone.others.contains(.launch(FakePhone.app)))
    }

    @Test func operationsInTheBackgroundAreDoneWithoutACall() throws {
        let phone = try phone()
        phone.key(.home)
        phone.settle()
        _ = phone.messages()
        phone.upsert(list(2, "Detail"))
        phone.operate(.push, 2, animated: true)
        #expect(names(phone.messages()) == ["ok2"])
        phone.tap("Rubber Soul")
        phone.settle()
        #expect(names(phone.messages()) == ["front", "willAppear2", "didAppear2"])
    }

    @Test func customBackButtonIsTheApps() throws {
        let phone = try phone()
        phone.upsert(list(2, "Detail") { $0.backButton = .with { $0.element = 44; $0.title = "Close"; $0.enabled = true } })
        phone.operate(.push, 2)
        _ = phone.messages()
        phone.tap("Close")
        #expect(names(phone.messages()) == ["activated44"])
    }

    @Test func corruptImageIsLoggedOnceAndReplaced() throws {
        let phone = try phone()
        phone.app { $0.image.id = 77; $0.image.encoded = .init([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]) }
        phone.app { $0.updateItem = .with { $0.template = 1; $0.item = listItem(1, "First") { $0.image = 77 } } }
        phone.frame()
        phone.ui.setTraits(ScreenTraits(night: false))
        phone.frame()
        phone.drain()
        #expect(phone.others.filter { if case .log(let line) = $0 { line.contains("Rubber Soul") && line.contains("image 77") } else { false } }.count == 1)
    }

    @Test func movingCarCutsLists() throws {
        let phone = try phone(list(1, "Long", (1...40).map { listItem($0, "Row \($0)") }))
        #expect(phone.frame().semantics.filter { $0.role == .row }.count == 40)
        _ = phone.messages()
        phone.ui.setTraits(ScreenTraits(limitedUI: true))
        #expect(phone.frame().semantics.filter { $0.role == .row }.count == 12)
        #expect(phone.node("list.cut") != nil)
        #expect(phone.messages().contains { if case .traits(let traits) = $0 { traits.limitedUi && traits.maximumListItems == 12 } else { false } })
    }
}

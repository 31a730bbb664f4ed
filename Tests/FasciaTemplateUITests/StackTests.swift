import FasciaAppLink
import FasciaWire
import Testing
@testable import FasciaTemplateUI

@Suite struct TemplateStackTests {
    typealias Kind = AppTemplate.OneOf_Kind
    let kinds: [UInt64: Kind] = [1: .list(.init()), 2: .list(.init()), 3: .grid(.init()), 4: .nowPlaying(.init()), 5: .alert(.init()), 6: .actionSheet(.init()),
                                 7: .tabBar(.with { $0.templates = [1, 2] }), 8: .information(.init())]

    func apply(_ stack: inout TemplateStack, _ kind: AppStackOperation.Kind, _ template: UInt64 = 0) -> Result<StackChange, StackError> {
        Result { () throws(StackError) in try stack.apply(.with { $0.kind = kind; $0.template = template }) { kinds[$0] } }
    }

    func refuses(_ stack: inout TemplateStack, _ kind: AppStackOperation.Kind, _ template: UInt64 = 0) -> Bool {
        let before = stack
        if case .failure = apply(&stack, kind, template) { return stack == before }
        return false
    }

    @Test func pushAndPop() {
        var stack = TemplateStack()
        #expect(apply(&stack, .setRoot, 1) == .success(.replaced))
        #expect(apply(&stack, .push, 2) == .success(.pushed))
        #expect(apply(&stack, .push, 3) == .success(.pushed))
        #expect(stack.path == [1, 2, 3])
        #expect(apply(&stack, .pop, 3) == .success(.popped))
        #expect(apply(&stack, .push, 3) == .success(.pushed))
        #expect(apply(&stack, .popTo, 1) == .success(.popped))
        #expect(stack.path == [1])
        #expect(apply(&stack, .popToRoot) == .success(.nothing))
    }

    @Test func rulesOfTheInterfaceController() {
        var stack = TemplateStack()
        #expect(refuses(&stack, .push, 1)) // no root yet
        #expect(refuses(&stack, .setRoot, 5)) // modal root
        #expect(refuses(&stack, .setRoot, 99)) // unknown
        _ = apply(&stack, .setRoot, 1)
        #expect(refuses(&stack, .push, 5)) // modals are presented
        #expect(refuses(&stack, .push, 7)) // tab bars are roots
        #expect(refuses(&stack, .push, 1)) // twice the same
        #expect(refuses(&stack, .present, 2)) // lists are pushed
        #expect(refuses(&stack, .pop)) // the root stays
        #expect(refuses(&stack, .dismiss))
        #expect(refuses(&stack, .popTo, 3))
        #expect(refuses(&stack, .unspecified))
        _ = apply(&stack, .push, 4)
        #expect(refuses(&stack, .push, 3)) // only lists over Now Playing
        #expect(apply(&stack, .push, 2) == .success(.pushed))
        #expect(refuses(&stack, .pop, 4)) // another one is on top
        #expect(apply(&stack, .present, 5) == .success(.presented))
        #expect(refuses(&stack, .present, 6)) // one at a time
        #expect(refuses(&stack, .dismiss, 6))
        #expect(apply(&stack, .dismiss, 5) == .success(.dismissed))
    }

    @Test func tabsKeepTheirStacks() {
        var stack = TemplateStack()
        _ = apply(&stack, .setRoot, 7)
        #expect(stack.visible == [7, 1])
        _ = apply(&stack, .push, 3)
        #expect(stack.visible == [3])
        let two = stack.select(tab: 2)
        #expect(two && stack.path == [2])
        _ = apply(&stack, .push, 8)
        let one = stack.select(tab: 1), three = stack.select(tab: 3)
        #expect(one && !three && stack.path == [1, 3])
        stack.tabsChanged(to: [2])
        #expect(stack.selectedTab == 2 && stack.path == [2, 8])
    }

    @Test func lifecycleIsCalledOnceAndInOrder() {
        var lifecycle = LifecycleReporter()
        func text(_ calls: [AppTemplateLifecycle]) -> String { calls.map { "\($0.phase)\($0.template)" }.joined(separator: " ") }
        #expect(text(lifecycle.change(to: [7, 1], animated: false)) == "willAppear7 willAppear1")
        #expect(text(lifecycle.settle()) == "didAppear7 didAppear1")
        #expect(text(lifecycle.change(to: [2], animated: true)) == "willDisappear1 willDisappear7 willAppear2")
        // A change before the animation ended finishes it first.
        #expect(text(lifecycle.change(to: [7, 1], animated: true)) == "didDisappear1 didDisappear7 didAppear2 willDisappear2 willAppear7 willAppear1")
        #expect(text(lifecycle.settle()) == "didDisappear2 didAppear7 didAppear1")
        #expect(text(lifecycle.settle()) == "")
    }
}

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

    @Test func mediaKeysReachThePlayingApp() throws {
        let phone = try phone()
        phone.key(.play)
        phone.drain()
        #expect(phone.others.contains(.playbackKey(.play)))
        phone.app { $0.nowPlaying.present = true; $0.nowPlaying.rate = 1; $0.nowPlaying.playbackState = 1 }
        phone.app { $0.remoteCommands.pause = true; $0.remoteCommands.play = true; $0.remoteCommands.skipForward = true }
        phone.key(.home)
        _ = phone.messages()
        phone.key(.play)
        phone.key(.next)
        #expect(names(phone.messages()) == ["pause", "skipForward"])
    }

    /// The steering wheel's keys are for the app that plays, whatever the screen shows.
    @Test func mediaKeysPassByTheAppOnTheScreen() throws {
        let phone = try phone(), player = "org.example.radio"
        phone.ui.applicationState(player, .connected)
        func radio(_ build: (inout AppFromApp) -> Void) { phone.ui.receive(.with(build), from: player, now: phone.now) }
        radio { $0.nowPlaying.present = true; $0.nowPlaying.rate = 1; $0.nowPlaying.playbackState = 1 }
        radio { $0.remoteCommands.pause = true; $0.remoteCommands.next = true }
        phone.app { $0.nowPlaying.present = true; $0.nowPlaying.rate = 0; $0.nowPlaying.playbackState = 2 }
        phone.app { $0.remoteCommands.play = true; $0.remoteCommands.next = true }
        phone.drain()
        phone.others = []
        phone.key(.play)
        phone.key(.next)
        let sent = phone.ui.takeActions().compactMap { if case .send(let message, to: let app) = $0 { (app, message.remoteCommand.kind) } else { nil } }
        #expect(sent.map(\.0) == [player, player] && sent.map(\.1) == [.pause, .next])
    }

    /// Each key a command, and none for what the app does not offer.
    @Test func everyMediaKeyIsACommand() throws {
        let phone = try phone(), keys: [KeyEvent.Key] = [.stop, .shuffle, .repeat, .rate, .like, .dislike, .bookmark]
        phone.app { $0.nowPlaying.present = true; $0.nowPlaying.rate = 1; $0.nowPlaying.playbackState = 1 }
        _ = phone.messages()
        for key in keys { phone.key(key) }
        #expect(names(phone.messages()).isEmpty)
        phone.app {
            $0.remoteCommands = .with {
                ($0.stop, $0.shuffleMode, $0.repeatMode, $0.rate, $0.like, $0.dislike, $0.bookmark) = (true, true, true, true, true, true, true)
                $0.rates = [2, .nan, 1, 1.5, -3]
                $0.currentRepeat = 2
            }
        }
        _ = phone.messages()
        for key in keys { phone.key(key) }
        let commands = phone.messages().compactMap { if case .remoteCommand(let command) = $0 { "\(command.kind) \(command.value)" } else { nil } }
        #expect(commands == ["stop 0.0", "shuffle 1.0", "repeat 1.0", "rate 1.5", "like 0.0", "dislike 0.0", "bookmark 0.0"])
        phone.app { $0.nowPlaying.present = true; $0.nowPlaying.rate = 2; $0.nowPlaying.playbackState = 1 }
        _ = phone.messages()
        phone.key(.rate)
        #expect(phone.messages().contains { if case .remoteCommand(let command) = $0 { command.value == 1 } else { false } }, "after the fastest the slowest")
    }

    @Test func aHeldTrackKeySeeks() throws {
        let phone = try phone()
        phone.app { $0.nowPlaying.present = true; $0.nowPlaying.rate = 1; $0.nowPlaying.playbackState = 1 }
        phone.app { $0.remoteCommands.next = true; $0.remoteCommands.seekForward = true; $0.remoteCommands.previous = true }
        _ = phone.messages()
        phone.key(.next)
        phone.now += 200_000_000
        phone.key(.next, pressed: false)
        phone.key(.previous)
        phone.key(.previous, pressed: false)
        #expect(names(phone.messages()) == ["next", "previous"], "a short press changes the track, and at once where there is no seeking")
        phone.key(.next)
        phone.now += 500_000_000
        #expect(try #require(phone.ui.nextDeadline) <= phone.now)
        phone.ui.advance(now: phone.now)
        #expect(names(phone.messages()) == ["seekForwardBegin"])
        phone.now += 3_000_000_000
        phone.ui.advance(now: phone.now)
        phone.key(.next, pressed: false)
        #expect(names(phone.messages()) == ["seekForwardEnd"])
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

import Testing

@testable import FasciaPhone

@Suite struct AppScenesTests {
    private let app = "io.example.music"

    private func connected() -> AppScenes {
        var scenes = AppScenes()
        _ = scenes.opened(app)
        _ = scenes.started(app, carPresent: true)
        _ = scenes.didConnect(app, scene: 1)
        return scenes
    }

    @Test func openingStartsTheProcessOnceThenConnects() {
        var scenes = AppScenes()
        let steps = [scenes.opened(app), scenes.opened(app), scenes.started(app, carPresent: true), scenes.didConnect(app, scene: 1)]
        #expect(steps == [.startProcess, nil, .connect(scene: 1), .announceConnected(scene: 1)])
        #expect(scenes[app] == .connected(scene: 1))
    }

    @Test func anAppThatStartsAfterTheCarLeftStaysWithoutAScene() {
        var scenes = AppScenes()
        _ = scenes.opened(app)
        let step = scenes.started(app, carPresent: false)
        #expect(step == nil)
        #expect(scenes[app] == .idle)
    }

    @Test func disconnectIsAskedAndAnnouncedExactlyOnce() {
        var scenes = connected()
        let asked = [scenes.carGone(app), scenes.carGone(app)]
        #expect(asked == [.disconnect(scene: 1), nil])
        let announced = [scenes.didDisconnect(app, scene: 1), scenes.didDisconnect(app, scene: 1)]
        #expect(announced == [[.announceDisconnected(scene: 1)], []])
        let end = scenes.ended(app)
        #expect(end == nil)
    }

    @Test func aProcessThatDiesInTheMiddleDisconnectsItsScene() {
        for disconnecting in [false, true] {
            var scenes = connected()
            if disconnecting { _ = scenes.carGone(app) }
            let step = scenes.ended(app)
            #expect(step == .announceDisconnected(scene: 1))
            #expect(scenes[app] == .absent)
        }
    }

    @Test func openedAgainWhileTheOldSceneEndsWaitsForIt() {
        var scenes = connected()
        _ = scenes.carGone(app)
        let early = scenes.opened(app)
        #expect(early == nil)
        let steps = scenes.didDisconnect(app, scene: 1)
        #expect(steps == [.announceDisconnected(scene: 1), .connect(scene: 2)])
    }

    @Test func theCarLeavingAgainCancelsTheReopening() {
        var scenes = connected()
        _ = scenes.carGone(app)
        _ = scenes.opened(app)
        _ = scenes.carGone(app)
        let steps = scenes.didDisconnect(app, scene: 1)
        #expect(steps == [.announceDisconnected(scene: 1)])
        #expect(scenes[app] == .idle)
    }

    @Test func repliesOfAnotherSceneAreIgnored() {
        var scenes = AppScenes()
        _ = scenes.opened(app)
        _ = scenes.started(app, carPresent: true)
        let wrong = scenes.didConnect(app, scene: 9)
        #expect(wrong == nil)
        let unasked = scenes.didDisconnect(app, scene: 1)
        #expect(unasked.isEmpty)
        #expect(scenes[app] == .connecting(scene: 1))
    }

    @Test func aSecondCarSessionGetsANewSceneOfTheSameProcess() {
        var scenes = connected()
        _ = scenes.carGone(app)
        _ = scenes.didDisconnect(app, scene: 1)
        let again = scenes.opened(app)
        #expect(again == .connect(scene: 2))
    }
}

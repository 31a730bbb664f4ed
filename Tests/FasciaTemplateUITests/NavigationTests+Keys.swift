import FasciaAppLink
import FasciaWire
import Testing
@testable import FasciaTemplateUI

/// Media keys are for the app that plays.
extension NavigationTests {
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
}

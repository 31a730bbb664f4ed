import CarPlay
import FasciaAppLink
import FasciaAppRuntime
import MediaPlayer
import Testing

extension CarPlayTests {
    /// Now-playing information and remote commands.
    @MainActor
    struct MediaPlayer {
        private func nowPlaying(_ phone: InMemoryPhone) -> AppNowPlaying? {
            phone.messages.compactMap { if case .nowPlaying(let state) = $0 { state } else { nil } }.last
        }

        /// The singletons attach themselves in a later turn.
        private func attached() async {
            _ = MPNowPlayingInfoCenter.default()
            _ = MPRemoteCommandCenter.shared()
            while AppSession.shared.nowPlaying == nil || AppSession.shared.remoteCommands == nil { await Task.yield() }
        }

        @Test func informationOfEveryNumberType() async throws {
            await attached()
            let phone = InMemoryPhone()
            let image = try #require(UIImage(data: CarPlayTests.Images.png))
            MPNowPlayingInfoCenter.default().nowPlayingInfo = [
                MPMediaItemPropertyTitle: "Title", MPMediaItemPropertyArtist: "Artist", MPMediaItemPropertyPlaybackDuration: 200,
                MPNowPlayingInfoPropertyElapsedPlaybackTime: Float(12.5), MPNowPlayingInfoPropertyPlaybackRate: NSNumber(value: 1.5),
                MPNowPlayingInfoPropertyIsLiveStream: true, MPMediaItemPropertyArtwork: MPMediaItemArtwork(boundsSize: image.size) { _ in image },
            ]
            MPNowPlayingInfoCenter.default().playbackState = .playing
            phone.turn()
            let state = try #require(nowPlaying(phone))
            #expect(state.present && state.live)
            #expect(state.title == "Title")
            #expect(state.duration == 200)
            #expect(state.elapsed == 12.5)
            #expect(state.rate == 1.5)
            #expect(state.artwork == phone.images.last?.id)
            #expect(state.asOfNs > 0)
            phone.disconnect()
            phone.clear()
            phone.connect()
            #expect(nowPlaying(phone)?.title == "Title", "a new scene is told what plays")
            #expect(nowPlaying(phone)?.artwork == phone.images.last?.id)
            MPNowPlayingInfoCenter.default().playbackState = .paused
            phone.turn()
            #expect(nowPlaying(phone)?.rate == 0)
            MPNowPlayingInfoCenter.default().nowPlayingInfo = nil
            phone.turn()
            #expect(nowPlaying(phone)?.present == false)
        }

        @Test func placeInTheQueueAndStatuses() async throws {
            await attached()
            let phone = InMemoryPhone()
            MPNowPlayingInfoCenter.default().nowPlayingInfo = [
                MPMediaItemPropertyTitle: "Title", MPNowPlayingInfoPropertyPlaybackQueueIndex: 9, MPNowPlayingInfoPropertyPlaybackQueueCount: 7,
            ]
            phone.turn()
            #expect(nowPlaying(phone)?.queueCount == 7 && nowPlaying(phone)?.queueIndex == 6, "an index past the end is the last")
            MPNowPlayingInfoCenter.default().nowPlayingInfo = nil
            let center = MPRemoteCommandCenter.shared()
            var seeks: [MPSeekCommandEventType] = []
            let first = center.seekForwardCommand.addTarget { event in
                (event as? MPSeekCommandEvent).map { seeks.append($0.type) }
                return .success
            }
            let second = center.seekForwardCommand.addTarget { _ in .noSuchContent }
            phone.send { $0.remoteCommand = .with { $0.kind = .seekForwardBegin } }
            phone.send { $0.remoteCommand = .with { $0.kind = .seekForwardEnd } }
            #expect(seeks == [.beginSeeking, .endSeeking])
            #expect(center.seekForwardCommand.send(MPRemoteCommandEvent(command: center.seekForwardCommand)) == .noSuchContent)
            [first, second].forEach { center.seekForwardCommand.removeTarget($0) }
            #expect(center.seekForwardCommand.send(MPRemoteCommandEvent(command: center.seekForwardCommand)) == nil)
        }

        @Test func commandsAreOfferedWithATargetAndCalled() async throws {
            await attached()
            let phone = InMemoryPhone()
            let center = MPRemoteCommandCenter.shared()
            var calls: [String] = []
            let play = center.playCommand.addTarget { _ in
                calls.append("play")
                return .success
            }
            let seek = center.changePlaybackPositionCommand.addTarget { event in
                calls.append("seek \((event as? MPChangePlaybackPositionCommandEvent)?.positionTime ?? -1)")
                return .success
            }
            phone.turn()
            func offered() -> AppRemoteCommands? {
                phone.messages.compactMap { if case .remoteCommands(let state) = $0 { state } else { nil } }.last
            }
            #expect(offered()?.play == true)
            #expect(offered()?.pause == false)
            phone.send { $0.remoteCommand = .with { $0.kind = .play } }
            phone.send { $0.remoteCommand = .with { $0.kind = .seek; $0.value = 30 } }
            phone.send { $0.remoteCommand = .with { $0.kind = .repeat; $0.value = .infinity } }
            #expect(calls == ["play", "seek 30.0"])
            center.playCommand.isEnabled = false
            phone.turn()
            #expect(offered()?.play == false)
            phone.send { $0.remoteCommand = .with { $0.kind = .play } }
            #expect(calls.count == 2)
            center.playCommand.isEnabled = true
            center.playCommand.removeTarget(play)
            center.changePlaybackPositionCommand.removeTarget(seek)
            phone.turn()
            #expect(offered()?.play == false)
        }
    }
}

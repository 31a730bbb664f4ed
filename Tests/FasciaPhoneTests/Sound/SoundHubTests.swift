@testable import FasciaPhone
import FasciaAppSound
import FasciaAudioSession
import FasciaSound
import FasciaWire
import Testing

private let music = AudioSettings(.playback)
private let prompt = AudioSettings(.playback, mode: .voicePrompt, options: .duckOthers)
private let assistant = AudioSettings(.playAndRecord)

struct SoundHubTests {
    let stage = SoundStage()
    let car = SoundStage.Car()

    private func playing() -> SoundStage.App {
        let app = stage.launch("a")
        stage.connect(car)
        stage.activate("a", music)
        stage.start("a", 1)
        stage.play("a", 1, blocks: 2)
        return app
    }

    /// [SP-1]: a packet behind its stream's end is ignored.
    @Test func aStreamOfAnAppIsOneOnTheLink() throws {
        let app = playing()
        #expect(car.take() == ["start 1 on audio 0", "packet 1 x2"])
        try stage.answer(car, .init(32), .with { $0.stream = 1 })
        #expect(app.received.last == .state(.with { $0.stream = 1; $0.playing = true }))
        stage.send("a", .stop(.with { $0.stream = 1; $0.drain = true }))
        #expect(car.take() == ["stop 1 drain"])
        stage.play("a", 1)
        #expect(car.take().isEmpty)
    }

    @Test func sequenceTimeAndSoundAreTheApps() throws {
        _ = playing()
        stage.play("a", 1, skipping: 3)
        let headers = car.messages.filter { $0.type == MessageType.audioPacket }.compactMap { AudioPacketHeader(decoding: $0.body) }
        #expect(headers.map(\.sequence) == [0, 1, 5])
        #expect(headers.map(\.time) == [1_000_000_000, 1_010_000_000, 1_020_000_000])
    }

    @Test func aPromptDucksWhileItSoundsAndIsGoneWithItsApp() {
        _ = playing()
        _ = stage.launch("p")
        stage.activate("p", prompt)
        stage.start("p", 1)
        stage.play("p", 1)
        #expect(car.take().suffix(2) == ["start 2 on audio 1 ducking", "packet 2 x1"])
        stage.hub.appGone("p", now: stage.now)
        #expect(car.take() == ["stop 2"])
        stage.play("a", 1)
        #expect(car.take() == ["packet 1 x1"], "the music never stopped")
    }

    @Test func whatSendsNothingDoesNotSound() {
        _ = stage.launch("p")
        stage.connect(car)
        stage.activate("p", prompt)
        stage.start("p", 1)
        stage.play("p", 1)
        _ = car.take()
        stage.pass(OutgoingStream.idleAfter)
        #expect(car.take() == ["stop 1 drain"], "its duck must not stay")
        stage.play("p", 1)
        #expect(car.take() == ["start 2 on audio 1 ducking", "packet 2 x1"])
    }

    @Test func anInterruptionEndsStreams() {
        let app = playing()
        _ = car.take()
        _ = stage.launch("b")
        stage.activate("b", music)
        #expect(car.take() == ["stop 1"])
        #expect(app.received.suffix(2) == [.state(.with { $0.stream = 1; $0.refusal = "interrupted" }), .interruption(.with { $0.began = true })])
        stage.play("a", 1)
        #expect(car.take().isEmpty)
        stage.activate("b", music, active: false)
        #expect(app.received.last == .interruption(.with { $0.shouldResume = true }))
        stage.start("a", 2)
        stage.play("a", 2)
        #expect(car.take() == ["start 2 on audio 0", "packet 2 x1"])
    }

    @Test func systemSoundsNeedNoSession() {
        _ = stage.launch("a")
        stage.connect(car, mainAudio: .lost(lent: false))
        stage.start("a", 1, role: .alert)
        stage.start("a", 2, role: .ui)
        stage.play("a", 1)
        stage.play("a", 2)
        #expect(car.take() == ["start 1 on audio 4", "packet 1 x1", "start 2 on audio 5", "packet 2 x1"])
    }

    @Test func aFullLinkDropsTheOldestAndIsCaughtUpWith() throws {
        _ = playing()
        car.isStalled = true
        car.queued = 100_000
        stage.play("a", 1, blocks: 30)
        #expect(car.take() == ["start 1 on audio 0", "packet 1 x2"])
        car.isStalled = false
        car.queued = 0
        stage.pass(SoundHub.retry)
        let sent = car.messages.compactMap { AudioPacketHeader(decoding: $0.body)?.sequence }
        #expect(sent == Array(27..<32), "the newest of what SEND_BOUND allows")
        stage.pass(1_000_000_000)
        let dropped = stage.events.filter { $0.name == "audio-dropped" }.compactMap { $0.fields["packets"]?.integer }
        #expect(dropped.reduce(0, +) == 25)
    }

    @Test func withoutACarSoundIsTakenAndThrownAway() {
        _ = stage.launch("a")
        stage.activate("a", music)
        stage.start("a", 1)
        stage.play("a", 1, blocks: 500)
        stage.connect(car)
        #expect(car.take().isEmpty)
        stage.play("a", 1)
        #expect(car.take() == ["start 1 on audio 0", "packet 1 x1"])
    }

    @Test func aLostConnectionIsNotHeardOfAndTheNextOneGoesOn() {
        let app = playing()
        let count = app.received.count
        stage.hub.detach()
        stage.play("a", 1, blocks: 3)
        let next = SoundStage.Car()
        stage.connect(next, resumed: true)
        stage.play("a", 1)
        #expect(next.take() == ["start 2 on audio 0", "packet 2 x1"])
        #expect(app.received.count == count)
        stage.hub.carEnded(now: stage.now)
        #expect(app.received.count == count + 1)
        guard case .routeChange(let change)? = app.received.last else {
            Issue.record("no route change")
            return
        }
        #expect(change.reason == 2 && change.outputPort == "Speaker")
    }

    @Test func refusalsReachTheApp() throws {
        let app = playing()
        try stage.answer(car, .init(32), .with { $0.stream = 1; $0.refusal = .notOwned })
        guard case .state(let state)? = app.received.last else {
            Issue.record("not told")
            return
        }
        #expect(state.stream == 1 && !state.playing && state.refusal.hasPrefix("notOwned"))
        _ = car.take()
        stage.play("a", 1, blocks: 5)
        #expect(car.take().isEmpty)
        stage.hub.mainAudio(.held, now: stage.now)
        stage.play("a", 1)
        #expect(car.take() == ["start 2 on audio 0", "packet 2 x1"], "owned after all")
    }

    @Test func theRouteFollowsTheSession() {
        _ = playing()
        _ = car.take()
        stage.activate("a", AudioSettings(.playback, mode: .voicePrompt))
        #expect(car.take() == ["stop 1 drain"])
        stage.play("a", 1)
        #expect(car.take() == ["start 2 on audio 1", "packet 2 x1"])
        stage.activate("a", prompt)
        #expect(car.take() == ["update 2 ducking"])
    }

    // MARK: Apps that break the rules

    @Test func garbageEndsTheSoundOfThatAppAlone() {
        _ = playing()
        _ = stage.launch("b")
        #expect(!stage.hub.received("b", .bad(SoundDatagramError(.malformed, "x")), now: stage.now))
        #expect(stage.events.contains { $0.name == "app-fault" && $0.fields["app"]?.string == "b" })
        _ = car.take()
        stage.play("a", 1)
        #expect(car.take() == ["packet 1 x1"])
    }

    @Test(arguments: [
        { stage in stage.start("a", 1) },
        { stage in stage.send("a", .packet(SoundPacket(SoundPacketHeader(stream: 1, sequence: 9, time: 0), samples: [1, 2, 3]))) },
        { stage in for _ in 0..<2 { stage.send("a", .packet(SoundPacket(SoundPacketHeader(stream: 1, sequence: 9, time: 0), samples: [0, 0, 0, 0]))) } },
        { stage in for number in UInt32(10)..<260 { stage.send("a", .packet(SoundPacket(SoundPacketHeader(stream: 1, sequence: number, time: 0), samples: [UInt8](repeating: 0, count: 1_920)))) } },
        { stage in for _ in 0..<5_000 { stage.send("a", .gain(.with { $0.stream = 1 })) } },
    ] as [@Sendable (SoundStage) -> Void])
    func rulesOfStreams(_ breaks: @Sendable (SoundStage) -> Void) {
        _ = playing()
        _ = car.take()
        breaks(stage)
        #expect(stage.hub.apps["a"] == nil)
        #expect(car.take().last == "stop 1")
    }

    @Test func whatNoCarPlaysIsRefusedAtOnce() {
        let app = stage.launch("a")
        stage.connect(car)
        stage.start("a", 1, rate: 96_000)
        guard case .state(let state)? = app.received.last else {
            Issue.record("not told")
            return
        }
        #expect(state.refusal.hasPrefix("format"))
        #expect(stage.hub.apps["a"] != nil)
    }

    // MARK: Opus

    private func playingOpus() -> SoundStage {
        let stage = SoundStage(prefersOpus: true)
        _ = stage.launch("a")
        stage.connect(car)
        stage.start("a", 1)
        return stage
    }

    @Test(arguments: [48_000, 44_100])
    func opusWhenAskedFor(_ rate: Int) throws {
        let stage = SoundStage(prefersOpus: true)
        _ = stage.launch("a")
        stage.connect(car)
        stage.start("a", 1, rate: UInt32(rate))
        stage.play("a", 1, blocks: 50, rate: rate)
        let packets = car.messages.filter { $0.type == MessageType.audioPacket }
        #expect((22...25).contains(packets.count))
        let times = packets.compactMap { AudioPacketHeader(decoding: $0.body)?.time }
        #expect(zip(times, times.dropFirst()).allSatisfy { (19_000_000...21_000_000).contains($1 &- $0) })
        for packet in packets { #expect(packet.body.withUnsafeBytes { OpusDecoding.frames(of: .init(rebasing: $0.dropFirst(16)), sampleRate: 48_000) } == 960) }
        #expect(car.take().first == "start 1 on audio 0 opus")
    }

    @Test func theEndOfTheSoundIsInTheLastOpusPacket() throws {
        let stage = playingOpus()
        stage.play("a", 1, blocks: 5)
        #expect(car.take() == ["start 1 on audio 0 opus", "packet 1 x2"])
        stage.send("a", .stop(.with { $0.stream = 1; $0.drain = true }))
        #expect(car.take() == ["packet 1 x1", "stop 1 drain"])
    }

    /// Sequence numbers count packets of the link, not of the app (S-12).
    @Test func whatIsLostIsAsLongInOpus() throws {
        let stage = playingOpus()
        for (blocks, skipping) in [(4, 0), (1, 2), (2, 0), (1, 2), (1, 0)] as [(Int, UInt32)] { stage.play("a", 1, blocks: blocks, skipping: skipping) }
        let sequences = car.messages.filter { $0.type == MessageType.audioPacket }.compactMap { AudioPacketHeader(decoding: $0.body)?.sequence }
        #expect(sequences == [0, 1, 3, 6], "20 ms are missing after the second, 30 after the third with what it had left")
    }

    /// Half a second late is not the time to be heard.
    @Test func aStreamThatFallsSilentInOpusEndsWithoutARest() {
        let stage = playingOpus()
        stage.play("a", 1, blocks: 3)
        #expect(car.take() == ["start 1 on audio 0 opus", "packet 1 x1"])
        stage.pass(OutgoingStream.idleAfter)
        #expect(car.take() == ["stop 1 drain"])
    }

    @Test func opusWhenTheCarTakesNothingElse() {
        let car = SoundStage.Car(formats: CarSound.offer.formats.filter { $0.codec == .opus })
        _ = stage.launch("a")
        stage.connect(car)
        stage.start("a", 1)
        stage.play("a", 1, blocks: 2)
        #expect(car.take() == ["start 1 on audio 0 opus", "packet 1 x1"])
    }

    // MARK: The microphone

    private func listening() throws -> SoundStage.App {
        let app = stage.launch("a")
        stage.connect(car)
        stage.activate("a", assistant)
        stage.send("a", .micStart(.with { $0.stream = 5; $0.format = .with { $0.sampleRate = 16_000; $0.channels = 1 } }))
        #expect(car.take() == ["start 1 on audioIn"])
        try stage.answer(car, .audioIn, .with { $0.stream = 1 })
        #expect(app.received.last == .micState(.with { $0.stream = 5; $0.on = true }))
        return app
    }

    @Test func theMicrophoneReachesWhoListens() throws {
        let app = try listening()
        let header = AudioPacketHeader(stream: 1, sequence: 7, time: 123)
        stage.hub.received(channel: .audioIn, type: MessageType.audioPacket, body: header.encoded + [1, 2, 3, 4], now: 50_000_000)
        #expect(app.received.last == .micPacket(SoundPacket(SoundPacketHeader(stream: 5, sequence: 0, time: 49_875_000), samples: [1, 2, 3, 4])))
        stage.send("a", .micStop(.with { $0.stream = 5 }))
        #expect(car.take() == ["stop 1"])
        #expect(app.received.last == .micState(.with { $0.stream = 5 }))
    }

    @Test func anInterruptionAndADeathCloseIt() throws {
        let app = try listening()
        stage.hub.mainAudio(.lost(lent: true), now: stage.now)
        #expect(car.take() == ["stop 1"])
        #expect(app.received.contains(.micState(.with { $0.stream = 5; $0.refusal = "interrupted" })))
        stage.send("a", .micStart(.with { $0.stream = 6; $0.format = .with { $0.sampleRate = 16_000; $0.channels = 1 } }))
        #expect(app.received.last?.kind == .micState)
        #expect(car.take().isEmpty)
    }

    @Test func aConnectionThatIsLostTakesItAndTheNextGivesIt() throws {
        let app = try listening()
        stage.hub.detach()
        let next = SoundStage.Car()
        stage.connect(next, resumed: true)
        #expect(next.take() == ["start 2 on audioIn"])
        stage.hub.appGone("a", now: stage.now)
        #expect(next.take() == ["stop 2"])
        _ = app
    }

    @Test func aPlayerMayNotListen() {
        let app = playing()
        _ = car.take()
        stage.send("a", .micStart(.with { $0.stream = 5; $0.format = .with { $0.sampleRate = 16_000; $0.channels = 1 } }))
        #expect(car.take().isEmpty)
        guard case .micState(let state)? = app.received.last else {
            Issue.record("not told")
            return
        }
        #expect(!state.on && !state.refusal.isEmpty)
    }

    // MARK: The car breaks the rules

    @Test(arguments: [
        (32, MessageType.streamStarted, [0xFF]), (33, MessageType.streamStatus, [0x08]), (48, MessageType.streamStop, [0xFF, 0xFF]), (48, MessageType.audioPacket, [1, 2, 3]),
    ] as [(UInt16, UInt16, [UInt8])])
    func brokenMessagesEndTheConnection(_ channel: UInt16, _ type: UInt16, _ body: [UInt8]) {
        _ = playing()
        stage.hub.received(channel: ChannelID(channel), type: type, body: body, now: stage.now)
        #expect(car.failure != nil)
    }

    /// [SM-1], at the latest moment; at others PairsTests.
    @Test func theCarsAnswerIsAwaitedHalfASecond() {
        let app = stage.launch("a")
        stage.connect(car, mainAudio: .lost(lent: false))
        stage.activate("a", music)
        #expect(stage.hub.nextDeadline(now: stage.now) == stage.now + SoundHub.patience)
        #expect(!app.received.contains { $0.kind == .sessionReply })
        stage.pass(SoundHub.patience)
        guard case .sessionReply(let reply)? = app.received.last else {
            Issue.record("no answer")
            return
        }
        #expect(!reply.success && reply.error == AudioSessionError.cannotStartPlaying.rawValue)
    }
}

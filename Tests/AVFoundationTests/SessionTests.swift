import AVFoundation
import FasciaAppSound
import Synchronization
import Testing

extension AVFoundationTests {
    final class Notes: Sendable {
        let heard = Mutex<[[String: String]]>([])

        init(_ name: Notification.Name, _ keys: [String]) {
            _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [weak self] note in
                let values = Dictionary(uniqueKeysWithValues: keys.map { ($0, note.userInfo?[$0].map { "\($0)" } ?? "-") })
                #expect(AVFoundationTests.isOnMainQueue)
                self?.heard.withLock { $0.append(values) }
            }
        }

        var all: [[String: String]] { heard.withLock { $0 } }
    }

    @Test func theSessionIsToldWhole() throws {
        let session = AVAudioSession.sharedInstance()
        try session.setCategory(.playback, mode: .voicePrompt, options: [.duckOthers, .interruptSpokenAudioAndMixWithOthers])
        #expect(port.requests.isEmpty, "nothing to say before it is active")
        try session.setActive(true)
        try session.setActive(false, options: .notifyOthersOnDeactivation)
        #expect(port.requests.map(\.active) == [true, false])
        #expect(port.requests[0].category == "AVAudioSessionCategoryPlayback" && port.requests[0].mode == "AVAudioSessionModeVoicePrompt")
        #expect(port.requests[0].options == 0x13 && port.requests[1].notifyOthers)
        #expect(port.requests.map(\.request) == [1, 2])
    }

    @Test func refusalsAreErrorsAndKeepWhatWas() throws {
        let session = AVAudioSession.sharedInstance()
        port.state.withLock { $0.refusal = .cannotInterruptOthers }
        let error = #expect(throws: NSError.self) { try session.setActive(true) }
        #expect(error?.domain == NSOSStatusErrorDomain && error?.code == AVAudioSession.ErrorCode.cannotInterruptOthers.rawValue)
        #expect(try !AVAudioPlayer(contentsOf: Self.file(seconds: 1)).play())
        #expect(port.streams.isEmpty)
        let bad = #expect(throws: NSError.self) { try session.setCategory(.record, options: .mixWithOthers) }
        #expect(bad?.code == -50 && session.category == .soloAmbient)
    }

    @Test func deactivatingWhileSomethingPlaysIsBusy() throws {
        let player = try AVAudioPlayer(contentsOf: Self.file(seconds: 2))
        player.play()
        advance(0.1)
        let error = #expect(throws: NSError.self) { try AVAudioSession.sharedInstance().setActive(false) }
        #expect(error?.code == AVAudioSession.ErrorCode.isBusy.rawValue)
        #expect(!player.isPlaying && port.requests.last?.active == false)
    }

    @Test func anInterruptionPausesAndTheAppResumes() async throws {
        let notes = Notes(AVAudioSession.interruptionNotification, [AVAudioSessionInterruptionTypeKey, AVAudioSessionInterruptionOptionKey])
        let session = AVAudioSession.sharedInstance()
        let player = try AVAudioPlayer(contentsOf: Self.file(seconds: 5)), engine = AVAudioEngine()
        try engine.start()
        player.play()
        advance(0.2)
        session.received(.interruption(.with { $0.began = true }))
        #expect(!player.isPlaying && !engine.isRunning)
        advance(0.05)
        #expect(port.streams.count == 1 && port.streams[0].isStopped)
        session.received(.interruption(.with { $0.shouldResume = true }))
        await Self.until { notes.all.count == 2 }
        #expect(notes.all.map { $0[AVAudioSessionInterruptionTypeKey] } == ["1", "0"])
        #expect(notes.all.last?[AVAudioSessionInterruptionOptionKey] == "1")
        #expect(abs(player.currentTime - 0.2) < 0.03)
        #expect(player.play())
        #expect(port.requests.map(\.active) == [true, true], "the session is activated anew")
        player.stop()
    }

    /// [SM-6]
    @Test func theRouteIsTheCarsWhileThereIsOne() async throws {
        let notes = Notes(AVAudioSession.routeChangeNotification, [AVAudioSessionRouteChangeReasonKey])
        let session = AVAudioSession.sharedInstance()
        #expect(session.currentRoute.outputs.map(\.portType) == [.builtInSpeaker])
        session.received(.routeChange(.with {
            $0.reason = 1
            $0.outputPort = "CarAudio"
            $0.outputName = "Roadster"
            $0.inputPort = "CarAudio"
            $0.sampleRate = 48_000
            $0.latencyUs = 30_000
        }))
        #expect(session.currentRoute.outputs.map(\.portType) == [.carAudio] && session.currentRoute.outputs.first?.portName == "Roadster")
        #expect(session.outputLatency == 0.03 && session.isInputAvailable)
        let player = try AVAudioPlayer(contentsOf: Self.file(seconds: 5))
        player.play()
        session.received(.routeChange(.with { $0.reason = 2; $0.outputPort = "Speaker"; $0.outputName = "Speaker" }))
        #expect(!player.isPlaying, "it does not go on from the phone's loudspeaker")
        await Self.until { notes.all.count == 2 }
        #expect(notes.all.map { $0[AVAudioSessionRouteChangeReasonKey] } == ["1", "2"])
    }

    /// Over a real socket pair.
    @Test func answersComeOverTheSocket() async throws {
        let pair = try #require(AppSoundSocket.pair())
        let connection = SoundConnection(pair.app)
        let phone = Thread {
            while true {
                switch pair.phone.receive() {
                case .datagram(.session(let request)):
                    _ = pair.phone.send(.sessionReply(.with { $0.request = request.request; $0.success = request.category == "yes"; $0.detail = "no" }))
                case .ended: return
                default: usleep(500)
                }
            }
        }
        phone.start()
        #expect(connection.ask(.with { $0.request = 1; $0.category = "yes" })?.success == true)
        #expect(connection.ask(.with { $0.request = 2 })?.detail == "no")
        pair.app.close()
        #expect(connection.ask(.with { $0.request = 3 }) == nil)
    }
}

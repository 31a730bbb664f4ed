import FasciaAudioSession
import Testing

/// Apps and the car's main audio.
struct CarTests {
    private func playing(_ mainAudio: MainAudio = .held) -> Diary {
        var diary = Diary()
        _ = diary.does { $0.carConnected(mainAudio: mainAudio) }
        _ = diary.plays("a", Diary.music)
        return diary
    }

    @Test(arguments: [(true, "a: ended, resume"), (false, "a: ended")])
    func whatWasLentResumesWhatWasTakenDoesNot(_ lent: Bool, _ end: String) {
        var diary = playing()
        #expect(diary.does { $0.mainAudio(.lost(lent: lent)) } == ["a: began"])
        #expect(!diary.policy.maySound("a"))
        #expect(diary.does { $0.mainAudio(.held) } == [end])
        #expect(diary.policy.maySound("a"))
    }

    @Test func theRadioGoesOffAndOnlyTheDriverStartsTheMusicAgain() {
        var diary = playing()
        _ = diary.does { $0.mainAudio(.lost(lent: false)) }
        #expect(diary.does { $0.mainAudio(.free) } == ["a: ended"])
        #expect(!diary.policy.maySound("a"))
        #expect(diary.does { $0.streamStarted("a") } == ["take"])
        #expect(diary.does { $0.mainAudio(.held) }.isEmpty)
        #expect(diary.policy.maySound("a"))
    }

    @Test func playingOverTheRadioTakesAndWaits() {
        var diary = Diary()
        _ = diary.does { $0.carConnected(mainAudio: .lost(lent: false)) }
        #expect(diary.active("a", Diary.music) == ["take"])
        #expect(diary.policy.isWaiting && !diary.policy.maySound("a"))
        #expect(diary.policy.mainAudio(.held) == [.reply("a", request: 1, nil)])
        #expect(diary.policy.maySound("a"))
    }

    /// Found by fuzzing: of three apps that had each started a stream, every one interrupted those before it, and was interrupted again.
    @Test func ofStreamsThatWaitForTheCarTheLastHasTheWord() {
        var diary = Diary()
        for app in ["a", "b", "c"] { diary.policy.appeared(app) }
        _ = diary.does { $0.carConnected(mainAudio: .lost(lent: false)) }
        for app in ["a", "b", "c"] { #expect(diary.does { $0.streamStarted(app) } == ["take"]) }
        #expect(diary.does { $0.mainAudio(.held) } == ["a: began", "b: began"])
        #expect(!diary.policy.isWaiting && diary.policy.maySound("c") && !diary.policy.maySound("a") && !diary.policy.maySound("b"))
        // Whose session is interrupted while its stream waits: the stream ended with that.
        _ = diary.does { $0.mainAudio(.lost(lent: false)) }
        for app in ["a", "b"] { #expect(diary.does { $0.streamStarted(app) } == ["take"]) }
        #expect(diary.does { $0.mainAudio(.held) }.filter { $0 == "a: began" || $0 == "b: began" }.count <= 1)
        #expect(diary.policy.maySound("a") != diary.policy.maySound("b"))
    }

    @Test func refusalAndSilenceAreErrors() {
        var diary = Diary()
        _ = diary.does { $0.carConnected(mainAudio: .lost(lent: false)) }
        _ = diary.active("a", Diary.music)
        #expect(diary.active("b", Diary.assistant) == ["borrow"])
        #expect(diary.does { $0.mainAudioRefused(to: "a") } == ["a: cannotInterruptOthers"] && diary.policy.isWaiting, "what the other waits for has an answer of its own")
        #expect(diary.does { $0.mainAudioRefused(to: "b") } == ["b: cannotInterruptOthers", "give back"])
        _ = diary.active("a", Diary.call)
        #expect(diary.does { $0.mainAudioUnanswered() } == ["a: cannotStartPlaying", "give back"])
        #expect(!diary.policy.isWaiting)
        _ = diary.active("a", Diary.music)
        #expect(diary.does { $0.mainAudioUnanswered() } == ["withdraw", "a: cannotStartPlaying"])
        _ = diary.active("a", Diary.music)
        #expect(diary.does { $0.gone("a") }.isEmpty && !diary.policy.isWaiting)
        #expect(diary.does { $0.mainAudio(.held) }.isEmpty)
    }

    @Test func aPolitePlayerLeavesTheRadioOn() {
        var diary = Diary()
        _ = diary.does { $0.carConnected(mainAudio: .lost(lent: false)) }
        #expect(diary.active("a", Diary.politeMusic).isEmpty)
        #expect(!diary.policy.maySound("a"))
        _ = diary.does { $0.mainAudio(.lost(lent: true)) }
        #expect(diary.does { $0.mainAudio(.held) }.isEmpty)
        #expect(diary.policy.maySound("a"))
    }

    @Test func promptsNeedNoMainAudio() {
        var diary = Diary()
        _ = diary.does { $0.carConnected(mainAudio: .lost(lent: false)) }
        #expect(diary.plays("p", Diary.prompt) == ["states speaking"])
        #expect(diary.policy.maySound("p"))
    }

    @Test func aCallBorrowsFromTheRadioAndGivesBack() {
        var diary = Diary()
        _ = diary.does { $0.carConnected(mainAudio: .lost(lent: false)) }
        #expect(diary.active("c", Diary.call) == ["borrow for a call"])
        #expect(diary.does { $0.mainAudio(.borrowed) } == ["states call"])
        #expect(diary.policy.maySound("c") && diary.policy.mayListen("c"))
        #expect(diary.does { $0.gone("c") } == ["states none", "give back"])
    }

    @Test(arguments: [(Diary.call, true), (Diary.assistant, true), (AudioSettings(.record), true), (Diary.music, false), (AudioSettings(.multiRoute), false),
                      (AudioSettings(.playAndRecord, mode: .voicePrompt), false)])
    func onlyCallsAndAssistantsListen(_ settings: AudioSettings, _ mayListen: Bool) {
        var diary = Diary()
        _ = diary.does { $0.carConnected(mainAudio: .held) }
        _ = diary.active("a", settings)
        #expect(diary.policy.maySound("a") && diary.policy.mayListen("a") == mayListen)
    }

    @Test func theCarIsOnThePhoneOrListens() {
        var diary = playing()
        _ = diary.does { $0.carStates(AudioStates(call: true)) }
        #expect(diary.active("b", Diary.music) == ["b: cannotInterruptOthers"])
        #expect(diary.active("b", Diary.call) == ["b: insufficientPriority"])
        #expect(diary.active("b", Diary.prompt) == ["b: hush"])
        _ = diary.does { $0.carStates(AudioStates(speech: .recognizing)) }
        #expect(diary.active("b", Diary.assistant) == ["b: siriIsRecording"])
        #expect(diary.active("b", Diary.music) == ["a: began", "b: unhush"])
    }

    @Test func comingAndGoing() {
        var diary = Diary()
        _ = diary.plays("a", Diary.music)
        _ = diary.plays("p", Diary.prompt)
        #expect(diary.does { $0.carConnected(mainAudio: .free) } == ["a: newDeviceAvailable", "p: newDeviceAvailable", "take if nobody minds"])
        #expect(diary.does { $0.carConnected() }.isEmpty)
        #expect(!diary.policy.maySound("a") && diary.policy.maySound("p"))
        _ = diary.does { $0.mainAudio(.held) }
        #expect(diary.does { $0.carDisconnected() } == ["a: oldDeviceUnavailable", "p: oldDeviceUnavailable"])
        #expect(diary.policy.maySound("a"), "the phone has speakers of its own")
        #expect(diary.does { $0.carDisconnected() }.isEmpty)
    }

    @Test func whatTheCarHadBorrowedDoesNotPlayOnAfterIt() {
        var diary = playing()
        _ = diary.does { $0.mainAudio(.lost(lent: true)) }
        #expect(diary.does { $0.carDisconnected() } == ["a: ended", "a: oldDeviceUnavailable"])
    }

    @Test func callOverMusicThenTheCarTakesThenBothEnd() {
        var diary = playing()
        #expect(diary.plays("c", Diary.call) == ["a: began", "borrow for a call", "states call"])
        #expect(diary.does { $0.mainAudio(.lost(lent: true)) } == ["c: began", "states none"])
        #expect(diary.does { $0.gone("c") } == ["give back"], "the car still has it")
        #expect(diary.does { $0.mainAudio(.held) } == ["a: ended, resume"])
    }
}

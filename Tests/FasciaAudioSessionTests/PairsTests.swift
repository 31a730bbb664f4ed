import FasciaAudioSession
import FasciaSound
import Testing

/// Two apps on one phone: what the second does to the first, and what its end brings back.
struct PairsTests {
    struct Pair: CustomStringConvertible, Sendable {
        let description: String
        let first, second: AudioSettings
        /// Told to `a`, who plays, when `b` begins to play; and when `b` ends and tells others.
        let begins, ends: [String]
        var ducks = false
    }

    static let pairs: [Pair] = [
        Pair(description: "music over music", first: Diary.music, second: Diary.music, begins: ["a: began"], ends: ["a: ended, resume"]),
        Pair(description: "polite music over music", first: Diary.music, second: Diary.politeMusic, begins: ["b: hush"], ends: ["b: unhush"]),
        Pair(description: "music over polite music", first: Diary.politeMusic, second: Diary.music, begins: ["a: hush"], ends: ["a: unhush"]),
        Pair(description: "ambient sounds beside music", first: Diary.music, second: AudioSettings(.ambient), begins: ["b: hush"], ends: ["b: unhush"]),
        Pair(description: "a game in solo over music", first: Diary.music, second: AudioSettings(.soloAmbient), begins: ["a: began"], ends: ["a: ended, resume"]),
        Pair(description: "a prompt over music", first: Diary.music, second: Diary.prompt, begins: ["b: hush", "states speaking"], ends: ["states none", "b: unhush"], ducks: true),
        Pair(description: "a prompt over a podcast", first: Diary.podcast, second: Diary.prompt, begins: ["a: began", "states speaking"], ends: ["states none", "a: ended, resume"], ducks: true),
        Pair(description: "a ducking prompt over a podcast", first: Diary.podcast, second: Diary.duckingPrompt, begins: ["b: hush", "states speaking"], ends: ["states none", "b: unhush"], ducks: true),
        Pair(description: "a call over music", first: Diary.music, second: Diary.call, begins: ["a: began", "states call"], ends: ["a: ended, resume", "states none"]),
        Pair(description: "a call over polite music", first: Diary.politeMusic, second: Diary.call, begins: ["a: began", "states call"], ends: ["a: ended, resume", "states none"]),
        Pair(description: "music in a call", first: Diary.call, second: Diary.music, begins: ["b: insufficientPriority"], ends: []),
        Pair(description: "polite music in a call", first: Diary.call, second: Diary.politeMusic, begins: ["b: insufficientPriority"], ends: []),
        Pair(description: "a second call", first: Diary.call, second: Diary.call, begins: ["b: insufficientPriority"], ends: []),
        Pair(description: "a prompt in a call", first: Diary.call, second: Diary.prompt, begins: ["b: hush", "states call"], ends: ["states call", "b: unhush"], ducks: true),
        Pair(description: "the assistant over music", first: Diary.music, second: Diary.assistant, begins: ["a: began"], ends: ["a: ended, resume"]),
        Pair(description: "recording over music", first: Diary.music, second: AudioSettings(.record), begins: ["a: began"], ends: ["a: ended, resume"]),
    ]

    @Test(arguments: pairs)
    func behavesAsOnAPhone(_ pair: Pair) {
        var diary = Diary()
        _ = diary.plays("a", pair.first)
        #expect(diary.plays("b", pair.second) == pair.begins)
        #expect(diary.policy.ducksOthers("b") == pair.ducks)
        #expect(diary.policy.maySound("a") == !pair.begins.contains("a: began"))
        #expect(diary.ends("b", pair.second) == pair.ends)
        #expect(diary.policy.maySound("a"))
        #expect(!diary.policy.ducksOthers("b"))
    }

    @Test(arguments: pairs)
    func anEndWithoutAWordAndADeathDifferOnlyInWhatOthersHear(_ pair: Pair) {
        var quiet = Diary()
        _ = quiet.plays("a", pair.first)
        _ = quiet.plays("b", pair.second)
        #expect(!quiet.ends("b", pair.second, telling: false).contains { $0.hasPrefix("a: ended") })
        #expect(quiet.active("a", pair.first).isEmpty, "who was interrupted comes back by itself")
        #expect(quiet.policy.maySound("a"))

        var killed = Diary()
        _ = killed.plays("a", pair.first)
        _ = killed.plays("b", pair.second)
        let words = killed.does { $0.gone("b") }
        #expect(words.contains("a: ended, resume") == pair.ends.contains("a: ended, resume"))
        #expect(killed.policy.maySound("a"))
        #expect(killed.does { $0.gone("b") }.isEmpty)
    }

    @Test func whoWasSilentIsNotToldToResume() {
        var diary = Diary()
        _ = diary.active("a", Diary.music)
        _ = diary.plays("b", Diary.music)
        #expect(diary.ends("b", Diary.music) == ["a: ended"])
    }

    @Test func aChainComesBackOneByOne() {
        var diary = Diary()
        _ = diary.plays("a", Diary.music)
        _ = diary.plays("b", Diary.music)
        #expect(diary.plays("c", Diary.music) == ["b: began"])
        #expect(diary.ends("c", Diary.music) == ["b: ended, resume"])
        #expect(diary.ends("b", Diary.music) == ["a: ended, resume"])

        _ = diary.plays("a", Diary.music)
        _ = diary.plays("b", Diary.music)
        _ = diary.plays("c", Diary.music)
        #expect(diary.does { $0.gone("b") }.isEmpty, "c still sounds")
        #expect(diary.ends("c", Diary.music) == ["a: ended, resume"])
    }

    @Test func whoTakesTheWordBackInterrupts() {
        var diary = Diary()
        _ = diary.plays("a", Diary.music)
        _ = diary.plays("b", Diary.music)
        #expect(diary.plays("a", Diary.music) == ["b: began"])
        #expect(diary.ends("b", Diary.music).isEmpty)
        #expect(diary.policy.maySound("a"))
    }

    @Test func aStreamMakesItsSessionActive() {
        var diary = Diary()
        _ = diary.plays("a", Diary.music)
        #expect(diary.does { $0.streamStarted("b") } == ["a: began"], "solo ambient, as on iOS")
        #expect(diary.policy.maySound("b"))
    }

    @Test func inactiveWhileItSoundsIsOver() {
        var diary = Diary()
        _ = diary.plays("a", Diary.music)
        #expect(diary.does { $0.request("a", number: 9, active: false, settings: Diary.music) } == ["a: streams over"])
        #expect(!diary.policy.maySound("a"))
    }

    @Test(arguments: [
        (Diary.music, .media), (Diary.prompt, .navigation), (Diary.call, .telephony), (AudioSettings(.playAndRecord, mode: .videoChat), .telephony), (Diary.assistant, .assistant),
        (AudioSettings(.record), .assistant), (AudioSettings(.ambient), .media), (AudioSettings(.playAndRecord, mode: .voicePrompt), .navigation), (AudioSettings(.multiRoute), .media),
    ] as [(AudioSettings, AudioRoute)])
    func routes(_ settings: AudioSettings, _ route: AudioRoute) { #expect(settings.route == route) }

    @Test(arguments: [
        ("AVAudioSessionCategoryPlayback", "AVAudioSessionModeDefault", 0x11, true), ("AVAudioSessionCategoryAmbient", "AVAudioSessionModeDefault", 1, false),
        ("AVAudioSessionCategoryPlayback", "AVAudioSessionModeVoiceChat", 0, false), ("AVAudioSessionCategoryPlayAndRecord", "AVAudioSessionModeVoiceChat", 0xF, true),
        ("AVAudioSessionCategoryPlayback", "AVAudioSessionModeDefault", 8, false), ("AVAudioSessionCategoryRecord", "AVAudioSessionModeVideoRecording", 4, true),
        ("AVAudioSessionCategoryPlayback", "AVAudioSessionModeVideoRecording", 0, false), ("Playback", "AVAudioSessionModeDefault", 0, false), ("", "", 0, false),
    ] as [(String, String, UInt32, Bool)])
    func settings(_ category: String, _ mode: String, _ options: UInt32, _ isValid: Bool) {
        #expect(((try? AudioSettings(category: category, mode: mode, options: options)) != nil) == isValid)
    }
}

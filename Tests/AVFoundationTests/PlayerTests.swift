import AVFoundation
import Synchronization
import Testing

extension AVFoundationTests {
    final class Listener: NSObject, AVAudioPlayerDelegate, Sendable {
        let finished = Mutex(0)
        func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {
            #expect(AVFoundationTests.isOnMainQueue && flag)
            finished.withLock { $0 += 1 }
        }

        var count: Int { finished.withLock { $0 } }
    }

    @Test func aPlayerPlaysToItsEndAndSaysSo() async throws {
        let player = try AVAudioPlayer(contentsOf: Self.file(seconds: 1)), listener = Listener()
        player.delegate = listener
        #expect(player.duration == 1 && player.currentTime == 0 && !player.isPlaying)
        #expect(player.play() && player.isPlaying)
        advance(0.5)
        #expect(abs(player.currentTime - 0.5) < 0.02)
        advance(0.6)
        #expect(!player.isPlaying && player.currentTime == 0)
        await Self.until { listener.count == 1 }
        #expect(listener.count == 1)
        let stream = try #require(port.streams.first)
        #expect(stream.role == .session && stream.rate == 48_000 && stream.isStopped)
        #expect(abs(stream.level(0.1..<0.9) - 0.354) < 0.01)
        #expect(stream.sequences == (0..<UInt32(stream.sequences.count)).map { $0 })
        #expect(zip(stream.times, stream.times.dropFirst()).allSatisfy { $1 - $0 == 10_000_000 })
        #expect(port.requests.map(\.active) == [true], "playing activates the session once")
    }

    /// Every kind of file at every rate, from disk and from memory: its length, its level, its pitch. Opus knows no 44.1 kHz.
    @Test(arguments: ["wav", "aiff", "caf", "flac", "ogg", "opus", "mp3"].flatMap { name in
        [16_000, 22_050, 24_000, 44_100, 48_000].filter { name != "opus" || $0 % 8_000 == 0 }.flatMap { [(name, $0, 1), (name, $0, 2)] }
    })
    func everyKindOfFileSounds(_ kind: (name: String, rate: Int, channels: Int)) async throws {
        let url = try Self.file(seconds: 1, rate: kind.rate, channels: kind.channels, name: kind.name)
        defer { try? FileManager.default.removeItem(at: url) }
        for player in [try AVAudioPlayer(contentsOf: url), try AVAudioPlayer(data: Data(contentsOf: url))] {
            #expect(abs(player.duration - 1) < 0.01 && player.numberOfChannels == kind.channels && (kind.name == "opus" || Int(player.format.sampleRate) == kind.rate))
            #expect(player.play())
            var seconds = 0.0
            while player.isPlaying, seconds < 3 {
                advance(0.01)
                seconds += 0.01
            }
            #expect(abs(seconds - 1) < 0.05, "\(kind): \(seconds) s")
        }
        advance(0.02)
        for stream in port.streams {
            #expect(abs(stream.level(0.2..<0.8) - 0.354) < 0.02)
            let left = stride(from: 0, to: stream.samples.count, by: 2).map { Int(stream.samples[$0]) }[9_600..<38_400]
            let crossings = zip(left, left.dropFirst()).filter { ($0 < 0) != ($1 < 0) }.count
            #expect(abs(crossings - 528) <= 2, "440 Hz for 0.6 s: \(crossings)")
        }
    }

    @Test func loopsRateAndSeek() async throws {
        let url = try Self.file(seconds: 0.5)
        let player = try AVAudioPlayer(contentsOf: url)
        func length() -> Double {
            var seconds = 0.0
            while player.isPlaying, seconds < 5 {
                advance(0.01)
                seconds += 0.01
            }
            return seconds
        }
        player.numberOfLoops = 2
        player.play()
        #expect(abs(length() - 1.5) < 0.03)
        player.numberOfLoops = 0
        player.enableRate = true
        player.rate = 2
        player.play()
        #expect(abs(length() - 0.25) < 0.03)
        player.enableRate = false
        player.currentTime = 0.3
        #expect(player.currentTime == 0.3)
        player.play()
        #expect(abs(length() - 0.2) < 0.03)
        player.numberOfLoops = -1
        player.play()
        advance(4)
        #expect(player.isPlaying)
        player.stop()
        #expect(!player.isPlaying)
    }

    @Test(arguments: [(Float(2), 44_100), (0.5, 48_000), (1.25, 22_050)])
    func anotherRateKeepsThePitch(_ rate: Float, _ fileRate: Int) throws {
        let player = try AVAudioPlayer(contentsOf: Self.file(seconds: 3, rate: fileRate, channels: 2))
        player.enableRate = true
        player.rate = rate
        player.play()
        advance(1)
        #expect(abs(player.currentTime - Double(rate)) < 0.06, "\(player.currentTime)")
        advance(6)
        let stream = try #require(port.streams.first)
        let left = stride(from: 0, to: stream.samples.count, by: 2).map { Int(stream.samples[$0]) }
        let seconds = Double(left.lastIndex { abs($0) > 300 } ?? 0) / 48_000
        #expect(abs(seconds - 3 / Double(rate)) < 0.05, "\(seconds) s")
        // 440 Hz: 880 crossings a second, with none lost or added where pieces meet.
        let middle = left[9_600..<38_400]
        let crossings = zip(middle, middle.dropFirst()).filter { ($0 < 0) != ($1 < 0) }.count
        #expect(abs(Double(crossings) / 0.6 - 880) < 9, "\(crossings)")
        #expect(zip(middle, middle.dropFirst()).allSatisfy { abs($0 - $1) < 1_400 }, "no clicks")
    }

    @Test func volumeFadePanAndMeters() async throws {
        let player = try AVAudioPlayer(contentsOf: Self.file(seconds: 3))
        player.isMeteringEnabled = true
        player.pan = -1
        player.play()
        advance(0.2)
        player.updateMeters()
        #expect(abs(player.averagePower(forChannel: 0) + 9.03) < 0.3 && player.averagePower(forChannel: 1) == -160)
        player.pan = 0
        player.setVolume(0, fadeDuration: 1)
        #expect(player.volume == 0)
        advance(1.5)
        let stream = try #require(port.streams.first)
        #expect(abs(stream.level(0.65..<0.75) - 0.177) < 0.02, "half way down")
        #expect(stream.level(1.3..<1.6) == 0)
        player.stop()
    }

    @Test func pausingFadesOutAndAPlayerLetGoFallsSilent() async throws {
        var player: AVAudioPlayer? = try AVAudioPlayer(contentsOf: Self.file(seconds: 3))
        player?.play()
        advance(0.1)
        player?.pause()
        #expect(player?.isPlaying == false)
        advance(0.05)
        #expect(port.streams.count == 1 && port.streams[0].isStopped)
        let samples = port.streams[0].samples
        #expect(zip(samples, samples.dropFirst(2)).allSatisfy { abs(Int($0) - Int($1)) < 1_200 }, "no click")
        player?.play()
        advance(0.1)
        player = nil
        advance(0.05)
        #expect(port.streams.count == 2 && port.streams[1].isStopped)
    }

    @Test func filesThatAreNone() throws {
        let error = #expect(throws: NSError.self) { try AVAudioPlayer(contentsOf: URL(fileURLWithPath: "/nowhere/at-all.mp3")) }
        #expect(error?.domain == NSOSStatusErrorDomain && error?.code == 2_003_334_207)
        let other = #expect(throws: NSError.self) { try AVAudioPlayer(data: Data("no sound at all, only words".utf8)) }
        #expect(other?.domain == NSOSStatusErrorDomain)
    }
}

import AudioToolbox
import AVFoundation
import FasciaAppRuntime
import Synchronization
import Testing

extension AVFoundationTests {
    /// A buffer of a constant.
    static func buffer(_ value: Float, seconds: Double, rate: Double = 48_000, channels: UInt32 = 1) throws -> AVAudioPCMBuffer {
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: rate, channels: channels))
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: AVAudioFrameCount(seconds * rate)))
        buffer.frameLength = buffer.frameCapacity
        for channel in 0..<Int(channels) { for frame in 0..<Int(buffer.frameLength) { buffer.floatChannelData?[channel][frame] = value } }
        return buffer
    }

    static func engine() throws -> (AVAudioEngine, AVAudioPlayerNode) {
        let engine = AVAudioEngine(), node = AVAudioPlayerNode()
        engine.attach(node)
        engine.connect(node, to: engine.mainMixerNode, format: AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 1))
        try engine.start()
        return (engine, node)
    }

    /// Plays a sine of 440 Hz and half of full scale.
    static func engine(through unit: AVAudioNode, seconds: Double, rate: Double) throws -> (AVAudioEngine, AVAudioPlayerNode) {
        let engine = AVAudioEngine(), node = AVAudioPlayerNode()
        engine.attach(node)
        engine.attach(unit)
        let sine = try buffer(0, seconds: seconds, rate: rate)
        for frame in 0..<Int(sine.frameLength) { sine.floatChannelData?[0][frame] = Float(0.5 * sin(2 * .pi * 440 * Double(frame) / rate)) }
        engine.connect(node, to: unit, format: sine.format)
        engine.connect(unit, to: engine.mainMixerNode, format: sine.format)
        try engine.start()
        node.scheduleBuffer(sine, completionHandler: nil)
        node.play()
        return (engine, node)
    }

    @Test func buffersFollowOneAnotherWithoutGapAndLoop() async throws {
        let (engine, node) = try Self.engine(), done = Mutex<[String]>([])
        node.scheduleBuffer(try Self.buffer(0.25, seconds: 0.015)) { done.withLock { $0.append("first") } }
        node.scheduleBuffer(try Self.buffer(0.5, seconds: 0.1), at: nil, options: .loops) { done.withLock { $0.append("loop") } }
        node.play()
        advance(0.5)
        let samples = try #require(port.streams.first).samples
        #expect(samples[0] == PCMLevel.of(0.25) && samples[719 * 2] == PCMLevel.of(0.25) && samples[720 * 2] == PCMLevel.of(0.5))
        #expect(samples[1_440...].allSatisfy { $0 == PCMLevel.of(0.5) })
        node.scheduleBuffer(try Self.buffer(0.1, seconds: 0.1), at: nil, options: .interruptsAtLoop) { done.withLock { $0.append("last") } }
        advance(0.5)
        await Self.until { done.withLock { $0.count == 3 } }
        #expect(done.withLock { $0 } == ["first", "loop", "last"])
        #expect(engine.isRunning && node.isPlaying, "a player that has nothing to play still plays")
        engine.mainMixerNode.outputVolume = 0.5
        node.scheduleBuffer(try Self.buffer(0.5, seconds: 1), at: nil, options: .interrupts, completionHandler: nil)
        advance(0.2)
        #expect(port.streams.first?.samples.last == PCMLevel.of(0.25))
        engine.stop()
        advance(0.02)
        #expect(port.streams.first?.isStopped == true)
    }

    @Test func otherRatesAreResampled() throws {
        let (engine, node) = try Self.engine()
        node.scheduleFile(try AVAudioFile(forReading: Self.file(seconds: 0.5, rate: 22_050, channels: 2)), at: nil)
        node.play()
        advance(1)
        let stream = try #require(port.streams.first)
        #expect(abs(stream.level(0.1..<0.4) - 0.354) < 0.01)
        #expect(stream.level(0.55..<0.9) == 0)
        engine.stop()
    }

    @Test func playingWithoutARunningEngineRaises() throws {
        let raised = Mutex(0)
        Faults.observeRaises { _, _ in raised.withLock { $0 += 1 } }
        defer { Faults.observeRaises(nil) }
        let engine = AVAudioEngine(), node = AVAudioPlayerNode()
        engine.attach(node)
        node.play()
        #expect(raised.withLock { $0 } == 1 && !node.isPlaying)
    }

    @Test func sourceNodesMixersAndRenderingByHand() throws {
        let engine = AVAudioEngine(), mixer = AVAudioMixerNode()
        let format = try #require(AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2))
        let source = AVAudioSourceNode { _, _, frames, list in
            for buffer in UnsafeMutableAudioBufferListPointer(list) {
                let samples = UnsafeMutableBufferPointer<Float>(start: buffer.mData?.assumingMemoryBound(to: Float.self), count: Int(frames))
                for index in samples.indices { samples[index] = 0.5 }
            }
            return noErr
        }
        engine.attach(source)
        engine.attach(mixer)
        engine.connect(source, to: mixer, format: format)
        engine.connect(mixer, to: engine.mainMixerNode, format: format)
        mixer.pan = 1
        try engine.enableManualRenderingMode(.offline, format: format, maximumFrameCount: 1_024)
        try engine.start()
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 1_024))
        #expect(try engine.renderOffline(1_024, to: buffer) == .success)
        #expect(buffer.floatChannelData?[0][1_000] == 0 && buffer.floatChannelData?[1][1_000] == 0.5)
        let url = Self.newFile("wav")
        let file = try AVAudioFile(forWriting: url, settings: format.settings)
        try file.write(from: buffer)
        file.close()
        let read = try AVAudioFile(forReading: url)
        #expect(read.length == 1_024 && read.processingFormat == format)
        try read.read(into: buffer)
        #expect(buffer.frameLength == 1_024 && buffer.floatChannelData?[1][500] == 0.5)
    }

    /// 440 Hz through a unit that plays it at another pace, or another pitch, or both as a tape does.
    @Test(arguments: [(Float(2), Float(0), false, 440.0, 1.0), (0.5, 0, false, 440, 4), (1, 1_200, false, 880, 2), (1.5, -1_200, false, 220, 4.0 / 3), (2, 0, true, 880, 1), (1, 0, false, 440, 2)])
    func unitsChangePaceAndPitch(_ rate: Float, _ pitch: Float, _ isTape: Bool, _ hertz: Double, _ seconds: Double) throws {
        let stretch = AVAudioUnitTimePitch(), tape = AVAudioUnitVarispeed()
        (stretch.rate, stretch.pitch) = (rate, pitch)
        tape.rate = rate
        let (engine, node) = try Self.engine(through: isTape ? tape : stretch, seconds: 2, rate: 44_100)
        advance(0.5)
        let time = try #require(node.lastRenderTime.flatMap { node.playerTime(forNodeTime: $0) })
        #expect(abs(Double(time.sampleTime) / time.sampleRate - 0.5 * 2 / seconds) < 0.1, "the player's time is that of what it plays")
        advance(5)
        let left = stride(from: 0, to: try #require(port.streams.first).samples.count, by: 2).map { Int(port.streams[0].samples[$0]) }
        let end = Double(left.lastIndex { abs($0) > 300 } ?? 0) / 48_000
        #expect(abs(end - seconds) < 0.06, "\(end) s")
        let middle = left[9_600..<Int(48_000 * (seconds - 0.2))]
        let crossings = Double(zip(middle, middle.dropFirst()).filter { ($0 < 0) != ($1 < 0) }.count) / Double(middle.count) * 24_000
        #expect(abs(crossings - hertz) < hertz * 0.01, "\(crossings) Hz")
        engine.stop()
    }

    /// Pace and pitch move while a sine plays: no step is steeper than the fastest sine that was asked for.
    @Test(arguments: [true, false])
    func changesOfPaceAndPitchDoNotClick(_ isTape: Bool) throws {
        let stretch = AVAudioUnitTimePitch(), tape = AVAudioUnitVarispeed()
        let (engine, _) = try Self.engine(through: isTape ? tape : stretch, seconds: 4, rate: 48_000)
        for (rate, pitch) in [(1, 0), (1.5, 0), (1.5, 300), (0.75, 300), (0.75, -600), (1, 0), (1, 700)] as [(Float, Float)] {
            if isTape { tape.rate = rate } else { (stretch.rate, stretch.pitch) = (rate, pitch) }
            advance(0.3)
        }
        engine.stop()
        let left = stride(from: 0, to: try #require(port.streams.first).samples.count, by: 2).map { Int(port.streams[0].samples[$0]) }
        let start = try #require(left.firstIndex { $0 != 0 })
        let steepest = zip(left[start...], left[start...].dropFirst()).map { abs($0 - $1) }.max() ?? 0
        let allowed = 2 * .pi * 440 * 1.5 / 48_000 * 0.5 * 32_768 * 1.1
        #expect(left.count > 90_000 && Double(steepest) < allowed, "a step of \(steepest), \(allowed) at most")
    }

    @Test func aUnitThatHadNothingToPlayPlaysAgain() throws {
        let unit = AVAudioUnitTimePitch(), next = AVAudioPlayerNode()
        unit.rate = 1.5
        let (engine, node) = try Self.engine(through: unit, seconds: 1, rate: 48_000)
        advance(0.2)
        engine.detach(node)
        advance(0.2)
        let tone = try Self.buffer(0.25, seconds: 2)
        engine.attach(next)
        engine.connect(next, to: unit, format: tone.format)
        next.scheduleBuffer(tone, completionHandler: nil)
        next.play()
        advance(0.6)
        let stream = try #require(port.streams.first)
        #expect(abs(stream.level(0.6..<0.9) - 0.25) < 0.01 && stream.level(0.3..<0.38) < 0.01)
        engine.stop()
        advance(0.1)
        try engine.start()
        next.scheduleBuffer(try Self.buffer(0.5, seconds: 1), completionHandler: nil)
        next.play()
        advance(0.3)
        let after = try #require(port.streams.last)
        #expect(after.samples.allSatisfy { $0 == 0 || abs($0) > PCMLevel.of(0.3) }, "nothing of what was playing is left in the unit")
    }

    @Test func theMicrophoneReachesTaps() async throws {
        let engine = AVAudioEngine(), heard = Mutex<[AVAudioFrameCount]>([])
        let changes = Notes(.AVAudioEngineConfigurationChange, [])
        let format = engine.inputNode.outputFormat(forBus: 0)
        engine.inputNode.installTap(onBus: 0, bufferSize: 1_024, format: format) { buffer, _ in heard.withLock { $0.append(buffer.frameLength) } }
        #expect(port.state.withLock { $0.microphone } == nil)
        let refusal = #expect(throws: NSError.self) { try engine.start() }
        #expect(refusal?.code == AVAudioSession.ErrorCode.incompatibleCategory.rawValue && port.state.withLock { $0.microphone } == nil)
        try AVAudioSession.sharedInstance().setCategory(.playAndRecord, mode: .voiceChat)
        try engine.start()
        let stream = try #require(port.state.withLock { $0.microphone })
        for packet in 0..<20 {
            AVAudioSession.sharedInstance().received(.microphonePacket(stream: stream, time: UInt64(packet) * 10_000_000, samples: .init(repeating: 1_000, count: 160)))
        }
        await Self.until { heard.withLock { $0.count == 3 } }
        #expect(heard.withLock { $0 } == [1_024, 1_024, 1_024])
        engine.stop()
        #expect(port.state.withLock { $0.microphone } == nil)
        try engine.start()
        let second = try #require(port.state.withLock { $0.microphone })
        AVAudioSession.sharedInstance().received(.microphone(.with { $0.stream = second; $0.on = true }))
        AVAudioSession.sharedInstance().received(.microphone(.with { $0.stream = second; $0.refusal = "it was unplugged" }))
        #expect(!engine.isRunning)
        await Self.until { !changes.all.isEmpty }
        #expect(changes.all.count == 1)
        try engine.start()
        let third = try #require(port.state.withLock { $0.microphone })
        AVAudioSession.sharedInstance().received(.microphone(.with { $0.stream = third; $0.refusal = "there is none" }))
        #expect(third != second && engine.isRunning, "a car without a microphone is a quiet one")
        engine.stop()
    }

    @Test func aRecorderKeepsWhatTheMicrophoneHears() throws {
        let url = Self.newFile("wav")
        let recorder = try AVAudioRecorder(url: url, settings: [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 32_000, AVNumberOfChannelsKey: 1])
        #expect(!recorder.record() && !recorder.isRecording && port.requests.isEmpty, "a session for playing does not record")
        try AVAudioSession.sharedInstance().setCategory(.record)
        #expect(recorder.record(forDuration: 0.5) && recorder.isRecording)
        let stream = try #require(port.state.withLock { $0.microphone })
        for packet in 0..<80 {
            AVAudioSession.sharedInstance().received(.microphonePacket(stream: stream, time: UInt64(packet) * 10_000_000, samples: .init(repeating: 8_192, count: 160)))
        }
        #expect(!recorder.isRecording && port.state.withLock { $0.microphone } == nil)
        let player = try AVAudioPlayer(contentsOf: url)
        #expect(abs(player.duration - 0.5) < 0.001)
        player.play()
        advance(0.3)
        #expect(abs(try #require(port.streams.first).level(0.1..<0.3) - 0.25) < 0.01)
        player.stop()
    }

    @Test func systemSoundsHaveRoutesOfTheirOwn() async throws {
        var id: SystemSoundID = 0
        #expect(AudioServicesCreateSystemSoundID(try Self.file(seconds: 0.1) as CFURL, &id) == kAudioServicesNoError)
        let done = Mutex(false)
        AudioServicesPlaySystemSoundWithCompletion(id) { done.withLock { $0 = true } }
        AudioServicesPlayAlertSound(1_005)
        advance(0.6)
        #expect(Set(port.streams.map(\.role)) == [.ui, .alert] && port.streams.allSatisfy { $0.isStopped && $0.level(0..<0.1) > 0.05 })
        #expect(port.requests.isEmpty, "they are not of the session")
        await Self.until { done.withLock { $0 } }
        #expect(done.withLock { $0 } && AudioServicesDisposeSystemSoundID(id) == kAudioServicesNoError)
    }
}

enum PCMLevel {
    static func of(_ value: Float) -> Int16 { Int16((value * 32_767).rounded()) }
}

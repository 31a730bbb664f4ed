import FasciaAppRuntime
import Foundation

public enum AVSpeechBoundary: Int, Sendable { case immediate, word }

/// Called on the main thread.
public protocol AVSpeechSynthesizerDelegate: NSObjectProtocol {
    func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didStart utterance: AVSpeechUtterance)
    func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didFinish utterance: AVSpeechUtterance)
    func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didPause utterance: AVSpeechUtterance)
    func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didContinue utterance: AVSpeechUtterance)
    func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didCancel utterance: AVSpeechUtterance)
    func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, willSpeakRangeOfSpeechString characterRange: NSRange, utterance: AVSpeechUtterance)
}

extension AVSpeechSynthesizerDelegate {
    public func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didStart utterance: AVSpeechUtterance) {}
    public func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didFinish utterance: AVSpeechUtterance) {}
    public func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didPause utterance: AVSpeechUtterance) {}
    public func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didContinue utterance: AVSpeechUtterance) {}
    public func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, didCancel utterance: AVSpeechUtterance) {}
    public func speechSynthesizer(_ synthesizer: AVSpeechSynthesizer, willSpeakRangeOfSpeechString characterRange: NSRange, utterance: AVSpeechUtterance) {}
}

/// Speaks utterances one after the other, in the app's session. What cannot be spoken is said on standard error and cancelled.
open class AVSpeechSynthesizer: NSObject, @unchecked Sendable {
    private enum Told { case started, finished, paused, continued, cancelled, word(NSRange) }

    private struct Entry {
        let utterance: AVSpeechUtterance
        let sound: SpeechSound
        var hasStarted = false
        /// Seconds of silence still to come before it.
        var delay: TimeInterval
    }

    private let lock = NSLock()
    private var queue: [Entry] = []
    private var waiting: [AVSpeechUtterance] = []
    /// Seconds of silence after the last one.
    private var rest: TimeInterval = 0
    private var paused = false
    private var pausesAtWord = false
    private var stopsAtWord = false
    private var converter: StereoConverter?
    private var gain = Gain()
    private var scratch: [Float] = []

    public weak var delegate: (any AVSpeechSynthesizerDelegate)?
    /// Always the app's; there is no other.
    open var usesApplicationAudioSession = true
    open var mixToTelephonyUplink = false

    public override init() {
        super.init()
        PlayingObjects.shared.add(self)
    }

    open var isSpeaking: Bool { lock.withLock { !queue.isEmpty } }
    open var isPaused: Bool { lock.withLock { paused } }

    open func speak(_ utterance: AVSpeechUtterance) {
        guard AVSpeechSynthesisSupport.activate() else {
            printError("nothing is spoken: the audio session is not to be had")
            return tell(utterance, .cancelled)
        }
        lock.withLock {
            waiting.append(utterance)
            prepare()
        }
        SoundOutput.shared.add(self)
    }

    /// What speaks and the next one are turned into sound; the others wait.
    private func prepare() {
        while queue.count < 2, let next = waiting.first {
            waiting.removeFirst()
            queue.append(Entry(utterance: next, sound: SpeechSound(text: next.speechString, head: next.head), delay: max(0, next.preUtteranceDelay)))
        }
    }

    /// - Returns: whether it spoke.
    @discardableResult
    open func pauseSpeaking(at boundary: AVSpeechBoundary) -> Bool {
        lock.withLock {
            guard let current = queue.first, !paused else { return false }
            if boundary == .word, current.hasStarted { pausesAtWord = true } else { pause(current.utterance) }
            return true
        }
    }

    private func pause(_ utterance: AVSpeechUtterance) {
        (paused, pausesAtWord) = (true, false)
        tell(utterance, .paused)
    }

    @discardableResult
    open func continueSpeaking() -> Bool {
        let goesOn = lock.withLock {
            guard paused, let current = queue.first else { return false }
            paused = false
            tell(current.utterance, .continued)
            return true
        }
        guard goesOn, AVSpeechSynthesisSupport.activate() else { return false }
        SoundOutput.shared.add(self)
        return true
    }

    @discardableResult
    open func stopSpeaking(at boundary: AVSpeechBoundary) -> Bool {
        lock.withLock {
            guard let current = queue.first else { return false }
            if boundary == .word, current.hasStarted, !paused { stopsAtWord = true } else { cancelAll() }
            return true
        }
    }

    private func cancelAll() {
        if let current = queue.first { tell(current.utterance, .cancelled) }
        (queue, waiting) = ([], [])
        (paused, pausesAtWord, stopsAtWord, rest, converter) = (false, false, false, 0, nil)
    }

    /// Hands the sound over instead of playing it; a buffer without frames is the last.
    open func write(_ utterance: AVSpeechUtterance, toBufferCallback bufferCallback: @escaping @Sendable (AVAudioBuffer) -> Void) {
        let sound = SpeechSound(text: utterance.speechString, head: utterance.head)
        AVSpeechSynthesisSupport.collect(sound, bufferCallback)
    }

    private func tell(_ utterance: AVSpeechUtterance, _ what: Told) {
        let deliver: @Sendable () -> Void = { [weak self] in
            guard let self, let delegate = self.delegate else { return }
            switch what {
            case .started: delegate.speechSynthesizer(self, didStart: utterance)
            case .finished: delegate.speechSynthesizer(self, didFinish: utterance)
            case .paused: delegate.speechSynthesizer(self, didPause: utterance)
            case .continued: delegate.speechSynthesizer(self, didContinue: utterance)
            case .cancelled: delegate.speechSynthesizer(self, didCancel: utterance)
            case .word(let range): delegate.speechSynthesizer(self, willSpeakRangeOfSpeechString: range, utterance: utterance)
            }
        }
        // The end is told when it has been heard: apps give the session back then.
        if case .finished = what { SoundOutput.shared.whenHeard(deliver) } else { DispatchQueue.main.async(execute: deliver) }
    }
}

extension AVSpeechSynthesizer: RenderSource {
    package func render(_ frames: Int, to output: UnsafeMutablePointer<Float>, at clock: RenderClock) -> Bool {
        lock.lock()
        defer { lock.unlock() }
        guard !paused else { return false }
        let seconds = Double(frames) / clock.sampleRate
        if rest > 0 {
            rest -= seconds
            return true
        }
        guard let current = queue.first else { return false }
        if current.delay > 0 {
            queue[0].delay -= seconds
            return true
        }
        guard current.hasStarted || current.sound.isReady else { return true }
        return speak(current, frames, output, clock)
    }

    private func speak(_ current: Entry, _ frames: Int, _ output: UnsafeMutablePointer<Float>, _ clock: RenderClock) -> Bool {
        if !current.hasStarted {
            queue[0].hasStarted = true
            converter = StereoConverter(channels: 1, sampleRate: current.sound.sampleRate)
            gain.begin()
            gain.set(current.utterance.volume)
            tell(current.utterance, .started)
        }
        if pausesAtWord || stopsAtWord, current.sound.wordBegins(within: Int(0.02 * current.sound.sampleRate)) {
            if stopsAtWord { cancelAll() } else { pause(current.utterance) }
            return false
        }
        guard let converter else { return false }
        if scratch.count != 2 * frames { scratch = [Float](repeating: 0, count: 2 * frames) }
        var ended = false, failure: String?
        scratch.withUnsafeMutableBufferPointer { scratch in
            guard let base = scratch.baseAddress else { return }
            let made = converter.pull(frames, to: base, rate: clock.sampleRate) { target, count in
                switch current.sound.read(target, count) {
                case .samples(let count): return count
                case .waiting: // the helper is late: silence rather than an end
                    target.update(repeating: 0, count: count)
                    return count
                case .ended: return 0
                case .failed(let text):
                    failure = text
                    return 0
                }
            }
            ended = made < frames
            gain.mix(base, frames: made, to: output, rate: clock.sampleRate)
        }
        while let word = current.sound.takeWord() { tell(current.utterance, .word(word.range)) }
        guard ended || failure != nil else { return true }
        return next(after: current.utterance, failure: failure)
    }

    private func next(after utterance: AVSpeechUtterance, failure: String?) -> Bool {
        if let failure { printError("\"\(utterance.speechString.prefix(60))\" is not spoken: \(failure)") }
        tell(utterance, failure == nil ? .finished : .cancelled)
        rest = max(0, utterance.postUtteranceDelay)
        queue.removeFirst()
        if stopsAtWord || pausesAtWord { (stopsAtWord, pausesAtWord) = (false, false) }
        prepare()
        return !queue.isEmpty || rest > 0
    }
}

extension AVSpeechSynthesizer: Interruptible {
    func interrupt() -> Bool {
        lock.withLock {
            guard let current = queue.first, !paused else { return false }
            pause(current.utterance)
            return true
        }
    }
}

private enum AVSpeechSynthesisSupport {
    static func activate() -> Bool { AVAudioSession.sharedInstance().activateToPlay() }

    static func collect(_ sound: SpeechSound, _ callback: @escaping @Sendable (AVAudioBuffer) -> Void) {
        let thread = Thread {
            var chunk = [Float](repeating: 0, count: 4_096)
            while true {
                let piece = chunk.withUnsafeMutableBufferPointer { $0.baseAddress.map { sound.read($0, 4_096) } ?? .ended }
                var count = 0
                switch piece {
                case .waiting:
                    usleep(5_000)
                    continue
                case .samples(let frames): count = frames
                case .failed(let text): printError("nothing is spoken: \(text)")
                case .ended: break
                }
                guard let buffer = AVAudioPCMBuffer(pcmFormat: AVAudioFormat(floatAt: sound.sampleRate, channels: 1), frameCapacity: 4_096) else { return }
                buffer.frameLength = AVAudioFrameCount(count)
                for frame in 0..<count { buffer.set(frame, 0, chunk[frame]) }
                callback(buffer)
                if count == 0 { return }
            }
        }
        thread.stackSize = 512 << 10
        thread.start()
    }
}

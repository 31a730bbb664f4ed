import Foundation

/// One utterance being turned into sound by the helper, on a thread of its own; read by the renderer.
final class SpeechSound: @unchecked Sendable {
    struct Word {
        let frame: Int
        /// UTF-16 units of the text.
        let range: NSRange
    }

    enum Piece {
        case samples(Int)
        /// More will come.
        case waiting
        case ended
        case failed(String)
    }

    /// Ten minutes.
    private static let mostFrames = 22_050 * 600

    private let lock = NSLock()
    private var parser = SpeechFrameParser()
    private var samples: [Float] = []
    private var words: [Word] = []
    private var rate = 22_050.0
    private var isComplete = false
    private var failure: String?
    private var position = 0
    private var nextWord = 0
    private let utf16: [Int]

    init(text: String, head: String) {
        let text = String(text.prefix(32_000))
        var offsets: [Int] = [], offset = 0
        for scalar in text.unicodeScalars {
            offsets.append(offset)
            offset += scalar.value > 0xFFFF ? 2 : 1
        }
        utf16 = offsets + [offset]
        let input = Array("\(head)\n\(text)".utf8)
        let thread = Thread { [weak self] in
            let started = SpeechHelper.run([], input: input) { bytes in self?.received(bytes) ?? false }
            self?.finished(started)
        }
        thread.name = "speech"
        thread.stackSize = 512 << 10
        thread.start()
    }

    /// There is enough to begin with, or all there will be.
    var isReady: Bool { lock.withLock { isComplete || samples.count > Int(rate / 5) } }
    var sampleRate: Double { lock.withLock { rate } }

    private func received(_ bytes: UnsafeRawBufferPointer) -> Bool {
        lock.withLock {
            for frame in parser.add(bytes) {
                switch frame {
                case .rate(let value): if (8_000...96_000).contains(value) { rate = Double(value) }
                case .samples(let new): samples += new
                case .word(let milliseconds, let first, let count): addWord(milliseconds, first, count)
                case .end: isComplete = true
                case .failure(let text): failure = text
                }
            }
            return samples.count < Self.mostFrames && !parser.isBroken
        }
    }

    private func addWord(_ milliseconds: Int, _ first: Int, _ count: Int) {
        guard first < utf16.count, milliseconds < 3_600_000 else { return }
        let end = min(utf16.count - 1, first + min(count, utf16.count))
        words.append(Word(frame: Int(Double(milliseconds) * rate / 1_000), range: NSRange(location: utf16[first], length: utf16[end] - utf16[first])))
    }

    private func finished(_ started: Bool) {
        lock.withLock {
            if !started { failure = SpeechHelper.missing }
            if !isComplete, failure == nil, samples.isEmpty { failure = "fascia-speech ended without a sound" }
            isComplete = true
        }
    }

    /// Reads mono samples.
    func read(_ target: UnsafeMutablePointer<Float>, _ count: Int) -> Piece {
        lock.withLock {
            if let failure { return .failed(failure) }
            let frames = min(count, samples.count - position)
            guard frames > 0 else { return isComplete ? .ended : .waiting }
            for index in 0..<frames { target[index] = samples[position + index] }
            position += frames
            return .samples(frames)
        }
    }

    /// The next word that begins before what has been read.
    func takeWord() -> Word? {
        lock.withLock {
            guard nextWord < words.count, words[nextWord].frame < position else { return nil }
            defer { nextWord += 1 }
            return words[nextWord]
        }
    }

    /// Another word begins within the next `frames`.
    func wordBegins(within frames: Int) -> Bool {
        lock.withLock { nextWord < words.count && words[nextWord].frame < position + frames }
    }
}

/// Plays sound faster or slower at its own pitch (WSOLA): pieces are taken from the source at another pace than they are laid down, each
/// where it continues the one before most smoothly, and joined by cross-fades. Not for several threads at once.
///
/// ```
///  source  |--piece 1--|      |--piece 2--|      |--piece 3--|     taken every hop × speed, ± search
///  output  |--piece 1--|--piece 2--|--piece 3--|                   laid down every hop, half over the last
/// ```
struct TimeStretcher {
    private let channels: Int
    /// Frames of half a piece, 15 ms: long enough for a low voice, short enough not to echo.
    private let hop: Int
    /// Frames a piece may be moved by either way.
    private let search: Int
    /// Interleaved frames of the source that are still needed.
    private var input: [Float] = []
    /// Where the next piece is due, in frames of `input`.
    private var due = 0.0
    /// What follows the last piece: the next one is to be like it.
    private var tail: [Float] = []
    private var output: [Float] = []
    private var outputStart = 0
    private var sourceEnded = false

    init(channels: Int, sampleRate: Double) {
        self.channels = channels
        hop = max(32, Int(sampleRate * 0.015))
        search = max(8, Int(sampleRate * 0.008))
    }

    /// Frames taken from the source that have not been handed on, as far as that can be said.
    var pendingFrames: Int { max(0, input.count / channels - Int(due)) + (output.count - outputStart) / channels }

    /// Reads frames at another speed.
    /// - Returns: frames made, 0 at the source's end.
    mutating func read(_ target: UnsafeMutablePointer<Float>, _ count: Int, speed: Double, from source: (UnsafeMutablePointer<Float>, Int) -> Int) -> Int {
        while outputStart == output.count {
            output.removeAll(keepingCapacity: true)
            outputStart = 0
            fill(from: source)
            guard makePiece(speed: speed) else { return 0 }
        }
        let frames = min(count, (output.count - outputStart) / channels)
        output.withUnsafeBufferPointer { output in
            if let base = output.baseAddress { target.update(from: base + outputStart, count: frames * channels) }
        }
        outputStart += frames * channels
        return frames
    }

    private mutating func fill(from source: (UnsafeMutablePointer<Float>, Int) -> Int) {
        // What lies before the earliest place of the next piece is done with.
        let done = max(0, min(Int(due) - search, input.count / channels))
        if done > 4 * hop {
            input.removeFirst(done * channels)
            due -= Double(done)
        }
        let needed = Int(due) + search + 2 * hop
        while !sourceEnded, input.count / channels < needed {
            let start = input.count
            input.append(contentsOf: repeatElement(0, count: hop * channels))
            let frames = input.withUnsafeMutableBufferPointer { input in input.baseAddress.map { source($0 + start, hop) } ?? 0 }
            input.removeLast((hop - max(0, frames)) * channels)
            if frames <= 0 { sourceEnded = true }
        }
    }

    /// False when nothing is left.
    private mutating func makePiece(speed: Double) -> Bool {
        let frames = input.count / channels
        guard Int(due) + search + 2 * hop <= frames else {
            // The rest is too short to be looked at: it goes as it is, at its own speed.
            let from = min(frames, max(0, Int(due)))
            guard from < frames || !tail.isEmpty else { return false }
            output = join(from, min(hop, frames - from))
            output += input[((from + min(hop, frames - from)) * channels)...]
            (input, tail, due) = ([], [], 0)
            return !output.isEmpty
        }
        let start = tail.isEmpty ? Int(due) : bestStart(near: Int(due))
        output = join(start, hop)
        tail = Array(input[((start + hop) * channels)..<((start + 2 * hop) * channels)])
        due += Double(hop) * speed
        return true
    }

    /// `count` frames from `start`, faded in over the last piece's tail.
    private func join(_ start: Int, _ count: Int) -> [Float] {
        var piece = Array(input[(start * channels)..<((start + count) * channels)])
        guard !tail.isEmpty else { return piece }
        for frame in 0..<count {
            let share = Float(frame) / Float(hop)
            for channel in 0..<channels {
                let index = frame * channels + channel
                piece[index] = piece[index] * share + tail[index] * (1 - share)
            }
        }
        return piece
    }

    /// Where the source is most like what followed the last piece.
    private func bestStart(near center: Int) -> Int {
        input.withUnsafeBufferPointer { input in
            tail.withUnsafeBufferPointer { tail in
                func likeness(_ start: Int, _ step: Int) -> Float {
                    var product: Float = 0, energy: Float = 1e-9
                    for frame in stride(from: 0, to: hop, by: step) {
                        let value = input[(start + frame) * channels]
                        product += value * tail[frame * channels]
                        energy += value * value
                    }
                    return product / energy.squareRoot()
                }
                func best(_ places: some Sequence<Int>, _ step: Int) -> Int? { places.max { likeness($0, step) < likeness($1, step) } }
                let low = max(0, center - search), high = center + search
                // Roughly first, then around the best of those.
                guard let rough = best(stride(from: low, through: high, by: 8), 8) else { return center }
                return best(stride(from: max(low, rough - 7), through: min(high, rough + 7), by: 1), 4) ?? rough
            }
        }
    }
}

import FasciaSoundFile
import Foundation

/// What a player node has yet to play, in order. Completion handlers leave for a queue of their own.
struct PlayerSchedule {
    enum Content {
        case buffer(AVAudioPCMBuffer, loops: Bool)
        case file(SoundFileReader, frames: Int64)
    }

    struct Item {
        let content: Content
        let when: AVAudioTime?
        let completion: AVAudioPlayerNodeCompletionHandler?
        let callback: AVAudioPlayerNodeCompletionCallbackType
        /// Frames of this turn that were read.
        var position: Int64 = 0
        var endsAtLoop = false

        init(content: Content, when: AVAudioTime?, completion: AVAudioPlayerNodeCompletionHandler?, callback: AVAudioPlayerNodeCompletionCallbackType) {
            (self.content, self.when, self.completion, self.callback) = (content, when, completion, callback)
        }

        var shape: Shape {
            switch content {
            case .buffer(let buffer, _): Shape(channels: Int(buffer.format.channelCount), sampleRate: buffer.format.sampleRate)
            case .file(let reader, _): Shape(channels: reader.channels, sampleRate: Double(reader.sampleRate))
            }
        }
    }

    struct Shape: Equatable {
        let channels: Int
        let sampleRate: Double
    }

    private static let callbacks = DispatchQueue(label: "audio-player-node")
    private var items: [Item] = []

    mutating func add(_ item: Item, options: AVAudioPlayerNodeBufferOptions) {
        if options.contains(.interrupts) { clear() }
        if options.contains(.interruptsAtLoop), !items.isEmpty {
            items.dropFirst().forEach(complete)
            items.removeSubrange(1...)
            items[0].endsAtLoop = true
        }
        items.append(item)
    }

    mutating func clear() {
        items.forEach(complete)
        items = []
    }

    /// The shape of what is due now; nil if nothing is.
    func nextShape(_ clock: RenderClock, _ frames: Int, player: AVAudioTime) -> Shape? {
        guard let first = items.first else { return nil }
        if let when = first.when, first.position == 0 {
            // Sample times count on the player's own clock.
            let isDue = when.isHostTimeValid ? when.isDue(clock, frames) : Double(when.sampleTime) / max(1, when.sampleRate) < Double(player.sampleTime) / player.sampleRate
            guard isDue else { return nil }
        }
        return first.shape
    }

    /// An item of no frames at all, that would be asked for ever.
    var isStuck: Bool {
        guard case .buffer(let buffer, loops: true)? = items.first?.content else { return false }
        return buffer.frameLength == 0
    }

    /// Reads interleaved frames of items of one shape.
    mutating func read(_ target: UnsafeMutablePointer<Float>, _ count: Int, _ shape: Shape) -> Int {
        var made = 0
        while made < count, let first = items.first, first.shape == shape, made == 0 || first.when == nil {
            let frames = readFirst(target + made * shape.channels, count - made, shape.channels)
            made += frames
            if frames == 0, !nextTurn() { break }
        }
        return made
    }

    private mutating func readFirst(_ target: UnsafeMutablePointer<Float>, _ count: Int, _ channels: Int) -> Int {
        guard let item = items.first else { return 0 }
        var frames = 0
        switch item.content {
        case .buffer(let buffer, _):
            frames = max(0, min(count, Int(buffer.frameLength) - Int(item.position)))
            for frame in 0..<frames {
                for channel in 0..<channels { target[frame * channels + channel] = buffer.sample(Int(item.position) + frame, channel) }
            }
        case .file(let reader, let length):
            frames = reader.read(into: target, frames: Int(min(Int64(count), max(0, length - item.position))))
        }
        items[0].position += Int64(frames)
        return frames
    }

    /// At the end of the first item: repeats it, or goes on to the next. False: a loop of no frames.
    private mutating func nextTurn() -> Bool {
        guard let item = items.first else { return false }
        if case .buffer(let buffer, loops: true) = item.content, !item.endsAtLoop {
            items[0].position = 0
            return buffer.frameLength > 0
        }
        complete(item)
        items.removeFirst()
        return true
    }

    private func complete(_ item: Item) {
        guard let completion = item.completion else { return }
        let type = item.callback
        let wait = type == .dataPlayedBack ? AVAudioSession.sharedInstance().outputLatency : 0
        Self.callbacks.asyncAfter(deadline: .now() + wait) { completion(type) }
    }
}

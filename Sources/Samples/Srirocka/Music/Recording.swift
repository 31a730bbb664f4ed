import AVFoundation

/// A short recording that the app keeps in a file: made on first use, as if downloaded.
enum Recording: String, CaseIterable {
    case rain, surf, bells

    static let sampleRate = 44_100.0

    var title: String {
        switch self {
        case .rain: return "Rain on a Skylight"
        case .surf: return "Surf at Night"
        case .bells: return "Village Bells"
        }
    }

    var duration: TimeInterval {
        switch self {
        case .rain: return 40
        case .surf: return 48
        case .bells: return 36
        }
    }

    /// The file, which is there from the first call on.
    func file() throws -> URL {
        let folder = try FileManager.default.url(for: .cachesDirectory, in: .userDomainMask, appropriateFor: nil, create: true).appendingPathComponent("Srirocka")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let url = folder.appendingPathComponent("\(rawValue)-2.wav")
        if FileManager.default.fileExists(atPath: url.path) { return url }
        // Under another name until it is whole.
        let unfinished = folder.appendingPathComponent("\(UUID().uuidString).wav")
        try write(to: unfinished)
        do { try FileManager.default.moveItem(at: unfinished, to: url) } catch where FileManager.default.fileExists(atPath: url.path) {
            try? FileManager.default.removeItem(at: unfinished) // another copy of the app was faster
        }
        return url
    }

    private func write(to url: URL) throws {
        let settings: [String: Any] = [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: Self.sampleRate, AVNumberOfChannelsKey: 1, AVLinearPCMBitDepthKey: 16]
        let file = try AVAudioFile(forWriting: url, settings: settings)
        let frames = AVAudioFrameCount(Self.sampleRate)
        guard let buffer = AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: frames), let samples = buffer.floatChannelData?[0] else { return }
        buffer.frameLength = frames
        var maker = SoundMaker()
        for second in 0..<Int(duration) {
            for frame in 0..<Int(frames) {
                let time = Double(second) + Double(frame) / Self.sampleRate
                // In and out within a second.
                let edge = Float(min(1, min(time, duration - time)))
                samples[frame] = edge * maker.sample(self, at: time)
            }
            try file.write(from: buffer)
        }
    }
}

/// Filtered noise, and bells.
private struct SoundMaker {
    private var seed: UInt32 = 0x2545_F491
    private var low: Float = 0
    private var lower: Float = 0
    private var drop: Float = 0
    private var dropPhase: Float = 0

    private mutating func noise() -> Float {
        seed ^= seed << 13
        seed ^= seed >> 17
        seed ^= seed << 5
        return Float(seed) / Float(UInt32.max) * 2 - 1
    }

    mutating func sample(_ recording: Recording, at time: Double) -> Float {
        switch recording {
        case .rain:
            let hiss = noise()
            low += 0.35 * (hiss - low)
            if noise() > 0.99975 { (drop, dropPhase) = (0.35, 0) }
            drop *= 0.996
            dropPhase += 0.22
            return 0.26 * (hiss - low) + 0.2 * low + drop * sin(dropPhase)
        case .surf:
            let swell = Float(pow(0.5 + 0.5 * sin(2 * .pi * time / 9), 2)), hiss = noise()
            low += (0.02 + 0.25 * swell) * (hiss - low)
            lower += 0.01 * (low - lower)
            return 1.6 * swell * (low - lower) + 0.12 * low
        case .bells:
            var value: Float = 0
            for (index, pitch) in [523.25, 659.25, 392, 587.33].enumerated() {
                let since = (time + 2.4 * Double(index)).truncatingRemainder(dividingBy: 4.8 + 0.6 * Double(index))
                for (partial, level) in [(0.5, 0.25), (1, 0.5), (1.19, 0.3), (1.5, 0.2), (2, 0.3), (2.74, 0.12)] {
                    value += Float(0.26 * level * exp(-since * (0.6 + partial * 0.5)) * sin(2 * .pi * pitch * partial * since))
                }
            }
            low += 0.02 * (noise() - low)
            return value + 0.05 * low
        }
    }
}

import Foundation

/// Called on the main thread.
public protocol AVAudioPlayerDelegate: NSObjectProtocol {
    /// The sound came to its end, with all its repetitions. Not called for `pause` and `stop`.
    func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool)
    func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?)
    func audioPlayerBeginInterruption(_ player: AVAudioPlayer)
    func audioPlayerEndInterruption(_ player: AVAudioPlayer, withOptions flags: Int)
}

extension AVAudioPlayerDelegate {
    public func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {}
    public func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?) {}
    public func audioPlayerBeginInterruption(_ player: AVAudioPlayer) {}
    public func audioPlayerEndInterruption(_ player: AVAudioPlayer, withOptions flags: Int) {}
}

/// Kinds of files, for hints; what a file is its bytes say.
public struct AVFileType: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(_ rawValue: String) { self.rawValue = rawValue }

    public static let wav = Self(rawValue: "com.microsoft.waveform-audio")
    public static let mp3 = Self(rawValue: "public.mp3")
    public static let aiff = Self(rawValue: "public.aiff-audio")
    public static let caf = Self(rawValue: "com.apple.coreaudio-format")
    public static let m4a = Self(rawValue: "com.apple.m4a-audio")
}

import FasciaSound
import Glibc

/// Where the car's sound comes out and goes in.
public struct SoundOptions: Sendable, Equatable {
    public var output = SoundOutput.null
    public var microphone = MicrophoneInput.none
    /// By route, 0 to 1.
    public var volumes: [AudioRoute: Double] = [:]

    public init() {}

    /// What a route's volume is when nobody has said: the car's own level, with room above it.
    public static let defaultVolume = 0.8

    /// Takes `ROUTE=N` of `--volume`, N from 0 to 100.
    public mutating func setVolume(_ argument: String) throws(HeadUnitError) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let route = AudioRoute(name: String(parts[0])), let percent = Int(parts[1]), (0...100).contains(percent) else {
            throw HeadUnitError(.sound, "--volume takes ROUTE=N, ROUTE one of \(AudioRoute.names) and N from 0 to 100, for example media=60; \"\(argument)\" is not")
        }
        volumes[route] = Double(percent) / 100
    }
}

/// `--audio-out`.
public enum SoundOutput: Sendable, Equatable {
    /// The default device if there is one, else nowhere.
    case automatic
    /// The default device.
    case device
    /// Mixed and dropped, at the pace of the clock.
    case null
    /// The mix as a WAV file.
    case file(String)
    /// A WAV file for each route, and the mix.
    case directory(String)

    /// - Throws: `.sound` when it is none of them.
    public init(argument: String) throws(HeadUnitError) {
        switch argument {
        case "device": self = .device
        case "null", "none": self = .null
        case _ where argument.hasSuffix("/"): self = .directory(argument)
        case _ where argument.lowercased().hasSuffix(".wav"): self = .file(argument)
        default:
            var status = stat()
            if !argument.isEmpty, stat(argument, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
                self = .directory(argument)
                return
            }
            throw HeadUnitError(.sound, "--audio-out takes null, device, a file that ends with .wav, or a directory (ending with /); \"\(argument)\" is none of them")
        }
    }
}

/// `--mic`.
public enum MicrophoneInput: Sendable, Equatable {
    /// The default device if there is one.
    case automatic
    case device
    case none
    /// Heard over and over.
    case file(String)

    /// - Throws: `.sound` when it is none of them, or the file cannot be read.
    public init(argument: String) throws(HeadUnitError) {
        switch argument {
        case "device": self = .device
        case "none", "null": self = .none
        default:
            guard access(argument, R_OK) == 0 else {
                throw HeadUnitError(.sound, "--mic takes device, none, or a sound file; \"\(argument)\" cannot be read: \(String(cString: strerror(errno)))")
            }
            self = .file(argument)
        }
    }
}

extension AudioRoute {
    /// By its word on the console.
    public init?(name: String) {
        guard let route = AudioRoute.allCases.first(where: { $0.name == name }) else { return nil }
        self = route
    }

    /// All words, for messages.
    public static var names: String { allCases.map(\.name).joined(separator: ", ") }
}

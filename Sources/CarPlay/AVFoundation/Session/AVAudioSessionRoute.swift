import Foundation

extension AVAudioSession {
    /// Kinds of what sound goes to or comes from.
    public struct Port: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }

        public static let carAudio = Self(rawValue: "CarAudio")
        public static let builtInSpeaker = Self(rawValue: "Speaker")
        public static let builtInReceiver = Self(rawValue: "Receiver")
        public static let builtInMic = Self(rawValue: "MicrophoneBuiltIn")
        public static let headphones = Self(rawValue: "Headphones")
        public static let headsetMic = Self(rawValue: "MicrophoneWired")
        public static let lineIn = Self(rawValue: "LineIn")
        public static let lineOut = Self(rawValue: "LineOut")
        public static let bluetoothA2DP = Self(rawValue: "BluetoothA2DPOutput")
        public static let bluetoothHFP = Self(rawValue: "BluetoothHFP")
        public static let bluetoothLE = Self(rawValue: "BluetoothLE")
        public static let airPlay = Self(rawValue: "AirPlay")
        public static let HDMI = Self(rawValue: "HDMIOutput")
        public static let usbAudio = Self(rawValue: "USBAudio")
    }
}

/// One thing that sounds or listens.
open class AVAudioSessionPortDescription: NSObject, @unchecked Sendable {
    public let portType: AVAudioSession.Port
    public let portName: String

    init(_ type: AVAudioSession.Port, name: String) {
        portType = type
        portName = name
    }

    public var uid: String { "\(portType.rawValue)/\(portName)" }
    public var hasHardwareVoiceCallProcessing: Bool { portType == .carAudio }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVAudioSessionPortDescription else { return false }
        return portType == other.portType && portName == other.portName
    }

    open override var hash: Int { uid.hashValue }
    open override var description: String { "<AVAudioSessionPortDescription: \(portType.rawValue), \(portName)>" }
}

/// Where the session's sound goes to and comes from.
open class AVAudioSessionRouteDescription: NSObject, @unchecked Sendable {
    public let inputs: [AVAudioSessionPortDescription]
    public let outputs: [AVAudioSessionPortDescription]

    init(inputs: [AVAudioSessionPortDescription] = [], outputs: [AVAudioSessionPortDescription]) {
        self.inputs = inputs
        self.outputs = outputs
    }

    /// With no car the phone sounds by itself; on Linux, not at all.
    static var speaker: AVAudioSessionRouteDescription { .init(outputs: [.init(.builtInSpeaker, name: "Speaker")]) }

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVAudioSessionRouteDescription else { return false }
        return inputs == other.inputs && outputs == other.outputs
    }

    open override var hash: Int { outputs.hashValue }
    open override var description: String { "<AVAudioSessionRouteDescription: inputs \(inputs), outputs \(outputs)>" }
}

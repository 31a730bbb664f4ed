import FasciaAppSound
import FasciaAudioSession
import FasciaSound

/// An app's end of the sound, as the phone keeps it.
final class SoundApp {
    /// Streams of an app at one time.
    static let maximumStreams = 16

    let id: AudioApp
    let port: any AppSoundPort
    var flood = FloodGuard()
    var streams: [UInt32: OutgoingStream] = [:]
    var microphone: MicrophoneUse?
    /// Activations that have not been answered, for the event log.
    var asked: [UInt64: AppSoundSession] = [:]

    init(id: AudioApp, port: any AppSoundPort) {
        self.id = id
        self.port = port
    }

    /// Sound comes out of its session.
    var isSounding: Bool { streams.values.contains { $0.role.isSession && $0.lastPacket != nil } }

    /// As the car may show it: at most 64 bytes.
    var label: String {
        var label = id
        while label.utf8.count > 64 { label.removeLast(max(1, (label.utf8.count - 64) / 4)) }
        return label
    }
}

/// An app listens.
final class MicrophoneUse {
    /// The app's number of it.
    let number: UInt32
    let format: FasciaSound.AudioFormat
    /// On the link.
    var id: UInt32?
    var isOn = false
    /// Of the next packet to the app.
    var sequence: UInt32 = 0

    init(number: UInt32, format: FasciaSound.AudioFormat) {
        self.number = number
        self.format = format
    }
}

extension AppSoundRole {
    /// Roles of later versions count as the session's.
    var isSession: Bool { self != .alert && self != .ui }
}

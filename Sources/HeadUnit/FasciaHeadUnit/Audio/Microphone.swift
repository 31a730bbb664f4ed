import Dispatch
import FasciaSound
import FasciaSoundIO
import Synchronization

/// The car's microphone: opened when a phone asks, on a queue of its own, since a device may take its time.
final class Microphone: Sendable {
    typealias Open = @Sendable (SoundFormat) throws(SoundError) -> any SoundSource

    let queue = DispatchQueue(label: "fascia.microphone")
    private let open: Open?
    private let feed = Mutex<MicrophoneFeed?>(nil)
    /// What it is, for people; nil: there is none.
    let name: String?

    init(_ input: MicrophoneInput) {
        switch input {
        case .none: (name, open) = (nil, nil)
        case .automatic where !DeviceSource.isAvailable: (name, open) = (nil, nil)
        case .automatic, .device:
            name = "device"
            open = { format throws(SoundError) in try DeviceSource(sampleRate: format.sampleRate, channels: format.channels) }
        case .file(let path):
            name = path
            open = { format throws(SoundError) in try WaveSource(file: path, sampleRate: format.sampleRate, channels: format.channels) }
        }
    }

    /// - Parameter open: makes a source of this rate and channels.
    init(name: String, open: @escaping Open) { (self.name, self.open) = (name, open) }

    /// Opens it for a phone.
    /// - Parameter answer: gets nil when it gives sound, else why not; before the first packet.
    func open(_ recording: SoundDesk.Recording, link: any SoundLink, answer: @escaping @Sendable (String?) -> Void) {
        queue.async { [self] in
            do throws(SoundError) {
                guard let open else { throw SoundError(.device, "this car has no microphone") }
                let new = try MicrophoneFeed(recording, source: open(recording.format), link: link)
                feed.withLock { $0 = new }
                answer(nil)
                try new.start()
            } catch {
                feed.withLock { $0 = nil }
                answer(error.description)
            }
        }
    }

    /// - Parameter closed: is called when nothing is heard any more.
    func close(_ closed: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            let old = feed.withLock { feed in
                defer { feed = nil }
                return feed
            }
            old?.stop()
            closed()
        }
    }

    /// Packets of the stream that is open.
    var counts: (sent: Int, dropped: Int)? { feed.withLock { $0?.counts } }
}

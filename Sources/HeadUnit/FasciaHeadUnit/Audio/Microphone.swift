import Dispatch
import FasciaSound
import FasciaSoundIO
import Synchronization

/// The car's microphone: opened when a phone asks, on a queue of its own, since a device may take its time.
package final class Microphone: Sendable {
    package typealias Open = @Sendable (SoundFormat) throws(SoundError) -> any SoundSource

    package let queue = DispatchQueue(label: "fascia.microphone")
    private let open: Open?
    private let feed = Mutex<MicrophoneFeed?>(nil)
    /// Seconds between two looks at whether it still gives sound; two in vain are its end. Nil: it is not looked at.
    private let patience: Double?
    /// What it is, for people; nil: there is none.
    let name: String?

    init(_ input: MicrophoneInput) {
        patience = 0.5
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
    package init(name: String, patience: Double? = nil, open: @escaping Open) { (self.name, self.patience, self.open) = (name, patience, open) }

    /// Opens it for a phone.
    /// - Parameters:
    ///   - opened: called once, before the first packet, with nil or why it cannot be opened. False: it is not wanted any more.
    ///   - failed: called at most once, when it was opened and gives no sound any more, or never did.
    func open(_ recording: SoundDesk.Recording, link: any SoundLink, opened: @escaping @Sendable (String?) -> Bool, failed: @escaping @Sendable (String) -> Void) {
        queue.async { [self] in
            let new: MicrophoneFeed
            do throws(SoundError) {
                guard let open else { throw SoundError(.device, "this car has no microphone") }
                new = try MicrophoneFeed(recording, source: open(recording.format), link: link)
            } catch {
                _ = opened(error.description)
                return
            }
            guard opened(nil) else { return }
            feed.withLock { $0 = new }
            do throws(SoundError) { try new.start() } catch {
                drop(new)
                return failed(error.description)
            }
            if let patience { watch(new, every: patience, since: 0, inVain: 0, failed) }
        }
    }

    /// A device that was pulled out says nothing: no more sound comes from it.
    private func watch(_ feed: MicrophoneFeed, every patience: Double, since blocks: Int, inVain: Int, _ failed: @escaping @Sendable (String) -> Void) {
        queue.asyncAfter(deadline: .now() + patience) { [weak self, weak feed] in
            guard let self, let feed, self.feed.withLock({ $0 === feed }) else { return }
            let now = feed.blocks, inVain = now == blocks ? inVain + 1 : 0
            guard inVain >= 2 else { return watch(feed, every: patience, since: now, inVain: inVain, failed) }
            drop(feed)
            failed("the microphone gives no sound any more")
        }
    }

    private func drop(_ old: MicrophoneFeed) {
        feed.withLock { if $0 === old { $0 = nil } }
        old.stop()
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

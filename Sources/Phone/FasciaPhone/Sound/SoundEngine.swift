import FasciaAppSound
import FasciaAudioSession
import FasciaEvents
import FasciaSound
import FasciaThreads
import FasciaWire
import Foundation
import Synchronization

/// The thread of all apps' sound. Neither the main actor nor an app can hold it up: sockets do not block, and what comes from elsewhere
/// lies in a bounded mailbox.
final class SoundEngine: Sendable {
    enum Command: Sendable {
        case appLaunched(AudioApp, PhoneSoundSocket)
        case appGone(AudioApp)
        case attach(SessionSoundLink, resumed: Bool, MainAudio)
        case detach
        case carEnded
        case mainAudio(MainAudio)
        case mainAudioRefused(to: AudioApp)
        case carStates(AudioStates)
        /// A message of a connection's sound channels.
        case message(from: SessionSoundLink, ChannelID, type: UInt16, body: [UInt8], arrival: UInt64)
        case stop
    }

    /// Messages of the car that wait; more are left out.
    private static let mailbox = 1_024
    /// Datagrams read of one app before the others' turn.
    private static let turn = 32

    private let commands = Mutex<[Command]>([])
    private let wakers: (read: PhoneSoundSocket, write: Int32)
    private let prefersOpus: Bool
    private let events: EventLog

    /// - Throws: `PhoneError` when the system has no descriptors left.
    init(prefersOpus: Bool, events: EventLog) throws(PhoneError) {
        guard let ends = PhoneSoundSocket.pair() else { throw PhoneError(.noSound, "no sound: \(String(cString: strerror(errno)))") }
        wakers = (read: PhoneSoundSocket(descriptor: ends.phone), write: ends.app)
        self.prefersOpus = prefersOpus
        self.events = events
    }

    deinit { close(wakers.write) }

    /// - Parameter report: called on the engine's thread.
    func start(report: @escaping @Sendable (SoundReport) -> Void) {
        let thread = Thread { [self] in run(report) }
        thread.stackSize = 512 << 10
        thread.start()
    }

    func post(_ command: Command) {
        let wakes = commands.withLock { commands in
            if case .message = command, commands.count >= Self.mailbox { return false }
            commands.append(command)
            return commands.count == 1
        }
        guard wakes else { return }
        var byte: UInt8 = 255 // a kind nobody has
        _ = Glibc.send(wakers.write, &byte, 1, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
    }

    // MARK: The thread

    private func run(_ report: @escaping @Sendable (SoundReport) -> Void) {
        let events = events
        events.emit("sound-thread", ["precedence": .string(ThreadPrecedence.ask(.realTime, name: "sound-phone").rawValue)])
        let hub = SoundHub(prefersOpus: prefersOpus, emit: { events.emit($0, $1) }, report: report)
        var sockets: [AudioApp: PhoneSoundSocket] = [:]
        while true {
            for command in commands.withLock({ commands in
                defer { commands = [] }
                return commands
            }) {
                if case .stop = command { return }
                perform(command, hub, &sockets)
            }
            let ready = wait(sockets, until: hub.nextDeadline(now: MonotonicClock.now()))
            for app in ready {
                guard let socket = sockets[app] else { continue }
                if !read(socket, app, hub) { sockets[app] = nil }
            }
            hub.tick(now: MonotonicClock.now())
        }
    }

    private func perform(_ command: Command, _ hub: SoundHub, _ sockets: inout [AudioApp: PhoneSoundSocket]) {
        let now = MonotonicClock.now()
        switch command {
        case .appLaunched(let app, let socket):
            sockets[app] = socket
            hub.appLaunched(app, port: socket, now: now)
        case .appGone(let app):
            sockets[app] = nil
            hub.appGone(app, now: now)
        case .attach(let link, let resumed, let mainAudio): hub.attach(link, resumed: resumed, mainAudio: mainAudio, now: now)
        case .detach: hub.detach()
        case .carEnded: hub.carEnded(now: now)
        case .mainAudio(let new): hub.mainAudio(new, now: now)
        case .mainAudioRefused(let app): hub.perform(hub.policy.mainAudioRefused(to: app), now: now)
        case .carStates(let states): hub.perform(hub.policy.carStates(states), now: now)
        case .message(let link, let channel, let type, let body, let arrival):
            guard hub.link === link else { return }
            hub.received(channel: channel, type: type, body: body, now: arrival)
        case .stop: break
        }
    }

    /// - Returns: apps with something to read.
    private func wait(_ sockets: [AudioApp: PhoneSoundSocket], until deadline: UInt64?) -> [AudioApp] {
        let apps = Array(sockets)
        var descriptors = [pollfd(fd: wakers.read.descriptor, events: Int16(POLLIN), revents: 0)]
        descriptors += apps.map { pollfd(fd: $0.value.descriptor, events: Int16(POLLIN), revents: 0) }
        var timeout: Int32 = -1
        if let deadline {
            let now = MonotonicClock.now()
            timeout = deadline > now ? Int32(clamping: (deadline - now + 999_999) / 1_000_000) : 0
        }
        guard poll(&descriptors, nfds_t(descriptors.count), timeout) > 0 else { return [] }
        if descriptors[0].revents != 0 { while wakers.read.receive() != .none {} }
        return zip(apps, descriptors.dropFirst()).compactMap { $1.revents != 0 ? $0.key : nil }
    }

    /// False when the app's sound is over.
    private func read(_ socket: PhoneSoundSocket, _ app: AudioApp, _ hub: SoundHub) -> Bool {
        for _ in 0..<Self.turn {
            let received = socket.receive()
            if received == .none { return true }
            guard hub.received(app, received, now: MonotonicClock.now()) else { return false }
        }
        return true
    }
}

/// Announces through whichever backend is open. Confined to the avahi thread.
final class AdvertiserEngine {
    private let loop: AvahiLoop
    private let relay: AdvertiserRelay
    private var advertisement: Advertisement
    /// The name being announced: the one asked for, or an alternative to it.
    private var name: String
    private var host: BackendHost?
    /// The name has been told as established since it was published last.
    private var established = false
    /// What the backend was given, and probes for or announces; nil while it has nothing.
    private var published: Advertisement?
    /// What has been told to the network at once since the backend was opened.
    private var announced: Advertisement?
    /// Publishing was refused because this host has the name: a process of this car that has just ended, mostly.
    private var attemptsForOwnName = 0
    private static let maximumAttemptsForOwnName = 4, ownNamePauseMilliseconds: UInt32 = 50

    init(loop: AvahiLoop, advertisement: Advertisement, relay: AdvertiserRelay) {
        self.loop = loop
        self.relay = relay
        self.advertisement = advertisement
        name = advertisement.instance
    }

    func open() {
        let host = BackendHost(loop: loop, options: relay.options, hostLabel: "fascia-" + (advertisement.id ?? Self.randomID())) { [weak self] in self?.received($0) }
        self.host = host
        host.open()
    }

    func close() { host?.close() }

    func update(_ new: Advertisement) {
        let old = advertisement
        advertisement = new
        guard new != old, let backend = host?.backend, backend.isRunning else { return }
        if new.name == old.name, new.port == old.port, published != nil {
            // While it is probed for it cannot be changed, only taken back, which phones would hear as a goodbye.
            if established { updateText(backend) }
        } else {
            if new.instance != old.instance { name = new.instance }
            publish()
        }
    }

    private func received(_ event: BackendHost.Event) {
        switch event {
        case .opened(let backend, let reason):
            relay.tell(.backend(backend, reason: reason))
            announced = nil
        case .running: publish()
        case .lost: (established, published) = (false, nil)
        case .unavailable(let error): relay.tell(.unavailable(error))
        case .service(.established):
            guard !established else { return }
            established = true
            relay.tell(.established(name: name))
            loop.later { [weak self] in // as for a collision
                guard let self, established, let backend = host?.backend, backend.isRunning else { return }
                updateText(backend)
            }
        case .service(.collision):
            // The group is told of by its own callback; it must have returned before it is reset.
            loop.later { [weak self] in self?.takeAnotherName() }
        case .service(.paused): (established, published) = (false, nil)
        case .service: break
        }
    }

    /// Tells what has changed since it was published.
    private func updateText(_ backend: any MDNSBackend) {
        guard let published, published.txt != advertisement.txt else { return }
        self.published = advertisement
        do { try backend.update(name: name, text: advertisement.txt) } catch { refused(error) }
    }

    private func publish() {
        guard let backend = host?.backend else { return }
        (established, published) = (false, nil)
        do throws(AvahiFailure) {
            try backend.publish(name: name, port: advertisement.port, text: advertisement.txt)
            published = advertisement
            attemptsForOwnName = 0
            announceAtOnce(backend)
        } catch {
            guard error.isCollision else { return refused(error) }
            attemptsForOwnName += 1
            let isOwn = name == advertisement.instance && advertisement.id != nil && attemptsForOwnName <= Self.maximumAttemptsForOwnName
            loop.after(milliseconds: isOwn ? Self.ownNamePauseMilliseconds : 0) { [weak self] in
                if isOwn { self?.publish() } else { self?.takeAnotherName() }
            }
        }
    }

    /// Waiting phones need not wait for the end of the probing, where the name is one no other car has.
    private func announceAtOnce(_ backend: any MDNSBackend) {
        guard announced != advertisement, advertisement.id != nil, name == advertisement.instance, let host = backend.hostName else { return }
        announced = advertisement
        let interfaces = EarlyAnnouncement.send(instance: name, host: host, port: advertisement.port, text: advertisement.txt, on: relay.options.interface)
        relay.tell(.announced(name: name, interfaces: interfaces))
    }

    private static func randomID() -> String { String(UInt64.random(in: .min ... .max), radix: 16) }

    private func takeAnotherName() {
        let taken = name
        name = ServiceName.alternative(to: taken)
        relay.tell(.renamed(from: taken, to: name))
        publish()
    }

    private func refused(_ failure: AvahiFailure) {
        relay.tell(.unavailable(.refused("cannot announce \"\(name)\"", failure.text)))
    }
}

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

    init(loop: AvahiLoop, advertisement: Advertisement, relay: AdvertiserRelay) {
        self.loop = loop
        self.relay = relay
        self.advertisement = advertisement
        name = ServiceName.legal(advertisement.name)
    }

    func open() {
        let host = BackendHost(loop: loop, options: relay.options, publishes: true) { [weak self] in self?.received($0) }
        self.host = host
        host.open()
    }

    func close() { host?.close() }

    func update(_ new: Advertisement) {
        let old = advertisement
        advertisement = new
        guard new != old, let backend = host?.backend, backend.isRunning else { return }
        if new.name == old.name, new.port == old.port, established {
            do { try backend.update(name: name, text: new.txt) } catch { refused(error) }
        } else {
            if new.name != old.name { name = ServiceName.legal(new.name) }
            publish()
        }
    }

    private func received(_ event: BackendHost.Event) {
        switch event {
        case .opened(let backend, let reason): relay.tell(.backend(backend, reason: reason))
        case .running: publish()
        case .lost: established = false
        case .unavailable(let error): relay.tell(.unavailable(error))
        case .service(.established):
            guard !established else { return }
            established = true
            relay.tell(.established(name: name))
        case .service(.collision):
            // The group is told of by its own callback; it must have returned before it is reset.
            loop.later { [weak self] in self?.takeAnotherName() }
        case .service(.paused): established = false
        case .service: break
        }
    }

    private func publish() {
        guard let backend = host?.backend else { return }
        established = false
        do throws(AvahiFailure) {
            try backend.publish(name: name, port: advertisement.port, text: advertisement.txt)
        } catch {
            if error.isCollision { loop.later { [weak self] in self?.takeAnotherName() } } else { refused(error) }
        }
    }

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

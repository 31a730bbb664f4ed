import CAvahi

/// Opens a backend, keeps one open, and says which. Confined to the avahi thread.
///
///               daemon answers                         daemon gone
///     (start) ----------------> daemon, running --------------------> waiting
///        |                          ^                                  |   |
///        | no daemon                +---------- daemon back -----------+   | no daemon for `daemonGraceMilliseconds`,
///        v                                                                 | and the daemon is not demanded
///     embedded, running <--------------------------------------------------+
///
/// Whatever cannot be opened is tried again every `retryMilliseconds`; the error is told once, not every time.
final class BackendHost {
    enum Event {
        /// A new backend is open; nothing is published or browsed in it yet.
        case opened(DiscoveryBackend, reason: String)
        /// The open backend can be used (again).
        case running
        /// What the backend announced and found is void.
        case lost
        case unavailable(DiscoveryError)
        case service(MDNSEvent)
    }

    static let retryMilliseconds: UInt32 = 500
    static let daemonGraceMilliseconds: UInt64 = 3000

    private(set) var backend: (any MDNSBackend)?
    private let loop: AvahiLoop
    private let options: DiscoveryOptions
    private let hostLabel: String?
    private let handler: (Event) -> Void
    private var lastError: DiscoveryError?
    /// Attempts since the daemon went away; nil when it did not.
    private var attemptsWithoutDaemon: UInt64?
    private var closed = false

    /// - Parameter hostLabel: the host's name where this process must announce it itself; nil when it only looks.
    init(loop: AvahiLoop, options: DiscoveryOptions, hostLabel: String?, handler: @escaping (Event) -> Void) {
        self.loop = loop
        self.options = options
        self.hostLabel = hostLabel
        self.handler = handler
    }

    func open() {
        guard !closed, backend == nil else { return }
        do throws(DiscoveryError) {
            let (backend, reason) = try choose()
            self.backend = backend
            lastError = nil
            handler(.opened(backend.kind, reason: reason))
            if backend.isRunning { handler(.running) }
        } catch {
            tell(error)
            loop.after(milliseconds: Self.retryMilliseconds) { [weak self] in self?.open() }
        }
    }

    func close() {
        closed = true
        backend?.close()
        backend = nil
    }

    private func choose() throws(DiscoveryError) -> (any MDNSBackend, String) {
        let index = try interfaceIndex(options.interface)
        switch options.backend {
        case .daemon?:
            do throws(AvahiFailure) { return (try daemon(index), "as asked for") } catch { throw .daemonUnavailable(error.text) }
        case .embedded?:
            do throws(AvahiFailure) { return (try embedded(index), "as asked for") } catch { throw .embeddedUnavailable(error.text) }
        case nil:
            let cause: String
            do throws(AvahiFailure) { return (try daemon(index), "the Avahi daemon runs") } catch { cause = error.text }
            if let attempts = attemptsWithoutDaemon, attempts * UInt64(Self.retryMilliseconds) < Self.daemonGraceMilliseconds {
                attemptsWithoutDaemon = attempts + 1
                throw .daemonGone(cause)
            }
            do throws(AvahiFailure) { return (try embedded(index), "no Avahi daemon: \(cause)") } catch {
                throw .nothingWorks(daemon: cause, embedded: error.text)
            }
        }
    }

    private func daemon(_ index: Int32) throws(AvahiFailure) -> any MDNSBackend {
        let backend = try DaemonBackend(loop: loop, interface: index) { [weak self] in self?.received($0) }
        attemptsWithoutDaemon = nil
        return backend
    }

    private func embedded(_ index: Int32) throws(AvahiFailure) -> any MDNSBackend {
        try EmbeddedBackend(loop: loop, interface: index, interfaceName: options.interface, hostLabel: hostLabel) { [weak self] in self?.received($0) }
    }

    private func received(_ event: MDNSEvent) {
        switch event {
        case .running: handler(.running)
        case .failed(let failure): loop.later { [weak self] in self?.drop(failure) } // the object that told is still on the stack
        default: handler(.service(event))
        }
    }

    private func drop(_ failure: AvahiFailure) {
        guard let gone = backend else { return }
        gone.close()
        backend = nil
        handler(.lost)
        if gone.kind == .daemon {
            attemptsWithoutDaemon = 0
            tell(.daemonGone(failure.text))
        } else {
            tell(.embeddedUnavailable(failure.text))
        }
        open()
    }

    private func tell(_ error: DiscoveryError) {
        guard error.code != lastError?.code else { return }
        lastError = error
        handler(.unavailable(error))
    }
}

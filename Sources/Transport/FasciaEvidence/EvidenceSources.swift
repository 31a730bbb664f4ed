import Dispatch
import FasciaEvents
import Glibc
import Logging
import Synchronization

/// Watches what happens outside the link: network interfaces, the wall clock, a power hint.
///
///     let sources = EvidenceSources(powerHint: 3, logger: log)
///     sources.start()
///     for await event in sources.events where path.isHurt(by: event.kind) { link.observe(…) }
///
/// What cannot be watched on this system is said once in the log; the rest works. Safe to use from any thread.
public final class EvidenceSources: Sendable {
    /// What happens, in order; for one consumer. Ends with `stop`.
    public let events: AsyncStream<EvidenceEvent>
    private let continuation: AsyncStream<EvidenceEvent>.Continuation
    private let log: Logger
    private let queue = DispatchQueue(label: "fascia.evidence", qos: .userInitiated)
    private let hint: Int32?
    private let running = Mutex<[any DispatchSourceRead]?>(nil)

    /// - Parameter powerHint: a descriptor to read `charging` and `discharging` lines from; closed here, at its end or by `stop`.
    public init(powerHint: Int32? = nil, logger: Logger = Logger(label: "fascia.evidence")) {
        // A network can change often, but nobody needs history: a consumer that stopped reading loses the oldest.
        (events, continuation) = AsyncStream.makeStream(of: EvidenceEvent.self, bufferingPolicy: .bufferingNewest(1024))
        hint = powerHint
        log = logger
    }

    deinit { stop() }

    /// Starts watching; the second time does nothing.
    public func start() {
        running.withLock { sources in
            guard sources == nil else { return }
            sources = [interfaces(), clock(), power()].compactMap(\.self)
            for source in sources ?? [] { source.activate() }
        }
    }

    /// Stops watching and ends `events`, for good.
    public func stop() {
        let ended = running.withLock { sources -> [any DispatchSourceRead] in
            defer { sources = [] }
            return sources ?? []
        }
        for source in ended { source.cancel() }
        continuation.finish()
    }

    private func interfaces() -> (any DispatchSourceRead)? {
        guard let watch = InterfaceWatch() else {
            log.warning("network interfaces cannot be watched (\(String(cString: strerror(errno)))): a lost carrier is noticed by silence only")
            return nil
        }
        return source(watch, watch.descriptor) { [continuation] watch in
            for kind in watch.read() { continuation.yield(EvidenceEvent(kind, at: MonotonicClock.now())) }
            return true
        }
    }

    private func clock() -> (any DispatchSourceRead)? {
        guard let watch = ClockWatch() else {
            log.info("steps of the wall clock cannot be watched (\(String(cString: strerror(errno))))")
            return nil
        }
        return source(watch, watch.descriptor) { [continuation] watch in
            if let step = watch.read() { continuation.yield(EvidenceEvent(.clockStepped(by: step), at: MonotonicClock.now())) }
            return true
        }
    }

    private func power() -> (any DispatchSourceRead)? {
        guard let hint else { return nil }
        return source(PowerInput(hint, log: log), hint) { [continuation] input in
            let (lines, isOpen) = input.read()
            for kind in lines { continuation.yield(EvidenceEvent(kind, at: MonotonicClock.now())) }
            return isOpen
        }
    }

    /// - Parameter body: runs on the queue when there is something to read; false ends the source.
    private func source<Watch>(_ watch: Watch, _ descriptor: Int32, _ body: @escaping (Watch) -> Bool) -> any DispatchSourceRead {
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        let held = Confined((watch, body))
        source.setEventHandler { if !held.value.1(held.value.0) { source.cancel() } } // the circle ends with the source
        source.setCancelHandler { withExtendedLifetime(held) {} } // the descriptor closes with the watch, after the source is done with it
        return source
    }
}

/// What only the queue touches.
private struct Confined<Value>: @unchecked Sendable {
    let value: Value
    init(_ value: Value) { self.value = value }
}

import FasciaCarrier
import FasciaEvents
import FasciaTrust
import FasciaWire
import Logging

/// Gets a session with the car: tries every address there is, pairs first when it must, and goes on for ever.
@MainActor
final class CarConnector {
    private let configuration: PhoneConfiguration
    private let finder: CarFinder
    private let dialer: LinkDialer
    private let pairing: CarPairing
    private let events: EventLog
    private let log: Logger
    /// The last complaint, so that a car that stays away is reported once and not with every attempt.
    private var lastComplaint = ""
    /// Addresses that were tried since the last session: more tries are not told to people.
    private var tried: Set<String> = []

    init(configuration: PhoneConfiguration, finder: CarFinder, dialer: LinkDialer, events: EventLog, log: Logger) {
        self.configuration = configuration
        self.finder = finder
        self.dialer = dialer
        self.events = events
        self.log = log
        pairing = CarPairing(dialer: dialer, name: configuration.name, code: configuration.pairingCode, events: events)
    }

    /// - Parameter hello: what to say, asked anew for each attempt because a resume token is good for one.
    /// - Throws: `CancellationError`, or `PhoneError` when going on is pointless: nobody to ask for a code, or a wrong one.
    func connect(hello: () -> Hello) async throws -> LinkSession {
        var backoff = Backoff()
        while true {
            for candidate in finder.candidates() {
                try Task.checkCancellation()
                do throws(CarrierError) {
                    let session = try await attempt(candidate, hello: hello())
                    lastComplaint = ""
                    tried = []
                    return session
                } catch {
                    try Task.checkCancellation()
                    if error.code == .notPaired {
                        do {
                            try await pairing.pair(at: candidate.address, because: error)
                            backoff.reset()
                        } catch let busy as CarrierError {
                            complain(busy, at: candidate)
                        }
                    } else {
                        complain(error, at: candidate)
                    }
                }
            }
            if finder.candidates().isEmpty { complainNotFound() }
            try Task.checkCancellation()
            await finder.wait(atMost: backoff.wait())
        }
    }

    private func attempt(_ candidate: CarFinder.Candidate, hello: Hello) async throws(CarrierError) -> LinkSession {
        let known = finder.pinnedPeer()
        if known == nil, case .named(let name) = configuration.car {
            throw CarrierError(.notPaired, .user, "this phone is not paired with “\(name)” yet")
        }
        let events = events
        events.emit("connecting", ["address": .string(candidate.address.description), "source": .string(candidate.source)],
                    narrated: tried.insert(candidate.address.description).inserted)
        return try await dialer.connect(to: candidate.address, expecting: known?.fingerprint, hello: hello) { phase in
            var fields: [String: EventValue] = ["address": .string(candidate.address.description), "source": .string(candidate.source)]
            if phase.kind == .secured { fields["ticket"] = .bool(phase.isResumed) }
            events.emit(phase.kind.rawValue, fields, at: phase.at)
        }
    }

    private func complain(_ error: CarrierError, at candidate: CarFinder.Candidate) {
        let complaint = "\(candidate.address): \(error)"
        guard complaint != lastComplaint else { return }
        lastComplaint = complaint
        events.emit("connect-failed", ["address": .string(candidate.address.description), "code": .string("\(error.code)"), "error": .string(error.description)])
        log.info("still trying; Ctrl-C ends")
    }

    private func complainNotFound() {
        guard case .named(let name) = configuration.car else { return }
        let others = finder.others
        let complaint = others.isEmpty ? "no car answers yet" : "there is no such car, but " + others.map { "“\($0)”" }.joined(separator: ", ")
        guard complaint != lastComplaint else { return }
        lastComplaint = complaint
        log.info("looking for a car named “\(name)”: \(complaint)")
    }
}

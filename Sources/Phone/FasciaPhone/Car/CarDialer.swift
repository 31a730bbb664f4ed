import FasciaCarrier
import FasciaEvents
import FasciaLink
import FasciaSession
import FasciaTrust
import Logging

/// Carries out the session machine's attempts: tries every address there is at a time, pairs first when it must.
@MainActor
final class CarDialer {
    /// What became of an attempt.
    enum Outcome {
        case up(LinkSession, FlightPass)
        case failed(DialFailure)
        /// Going on is pointless: nobody to ask for a code, or a wrong one.
        case hopeless(any Error)
    }

    private struct Attempt {
        let pass: FlightPass
        let urgency: DialUrgency
        var addresses: [CarrierAddress]
        let pending: PendingLink?
        var task: Task<Void, Never>
    }

    /// Told once for each attempt that was neither recalled nor stopped.
    var onOutcome: (LinkID, Outcome) -> Void = { _, _ in }
    private let configuration: PhoneConfiguration
    private let finder: CarFinder
    private let dialer: LinkDialer
    private let pairing: CarPairing
    private let box: FlightBox
    private let events: EventLog
    private let log: Logger
    private var attempts: [LinkID: Attempt] = [:]
    /// Of known addresses before the network is asked for new ones.
    private static let headStart = Duration.milliseconds(5)
    /// The last complaint, so that a car that stays away is reported once and not with every attempt.
    private var lastComplaint = ""
    /// Addresses that were tried since the last session: more tries are not told to people.
    private var tried: Set<String> = []

    init(configuration: PhoneConfiguration, finder: CarFinder, dialer: LinkDialer, box: FlightBox, events: EventLog, log: Logger) {
        self.configuration = configuration
        self.finder = finder
        self.dialer = dialer
        self.box = box
        self.events = events
        self.log = log
        pairing = CarPairing(dialer: dialer, name: configuration.name, code: configuration.pairingCode, events: events)
    }

    /// Whether a flight may be asked for.
    var isDialing: Bool { !attempts.isEmpty }

    func dial(_ link: LinkID, _ urgency: DialUrgency) {
        begin(link, FlightPass(box), urgency)
        if urgency == .racing { askSoon(link) }
    }

    /// There may be new addresses: they are tried beside the ones before. Their connections offer the same flight, and the attempt
    /// goes on: one whose flight has left on a connection that came to nothing must not wait for the grace to end.
    func widen(_ link: LinkID) {
        let candidates = finder.candidates()
        guard let attempt = attempts[link] else { return }
        let new = candidates.filter { !attempt.addresses.contains($0.address) }
        guard !new.isEmpty else { return }
        attempts[link]?.addresses += new.map(\.address)
        for candidate in new { tell(candidate, attempt.urgency) }
        attempt.pending?.widen(to: new.map(\.address))
    }

    /// Gives an attempt up; false when its flight has left and it goes on.
    func recall(_ link: LinkID) -> Bool {
        guard let attempt = attempts[link] else { return true }
        guard attempt.pass.revoke() else { return false }
        stop(link)
        return true
    }

    func stop(_ link: LinkID) {
        guard let attempt = attempts.removeValue(forKey: link) else { return }
        _ = attempt.pass.revoke()
        attempt.task.cancel()
    }

    // MARK: -

    /// The network is asked when the addresses there are have had a chance: on a small machine the question, its answer and the daemons
    /// that deal with it take the processors from a connection that would be there sooner.
    private func askSoon(_ link: LinkID) {
        guard !finder.candidates().isEmpty else { return finder.ask() }
        Task { [weak self] in
            try? await Task.sleep(for: Self.headStart)
            if let self, attempts[link] != nil { finder.ask() }
        }
    }

    private func begin(_ link: LinkID, _ pass: FlightPass, _ urgency: DialUrgency) {
        let candidates = finder.candidates()
        let pending = Result { () throws(CarrierError) in try start(candidates, pass, urgency) }
        attempts[link] = Attempt(pass: pass, urgency: urgency, addresses: candidates.map(\.address), pending: try? pending.get(), task: Task { [weak self] in
            await self?.run(link, pass, urgency, candidates, pending)
        })
    }

    private func run(_ link: LinkID, _ pass: FlightPass, _ urgency: DialUrgency, _ candidates: [CarFinder.Candidate], _ pending: Result<PendingLink, CarrierError>) async {
        do throws(CarrierError) {
            let session = try await pending.get().session()
            guard attempts[link]?.pass === pass else { return session.close(.superseded, detail: "given up") }
            lastComplaint = ""
            tried = []
            finish(link, .up(session, pass))
        } catch {
            guard attempts[link]?.pass === pass else { return }
            if error.code == .notPaired, urgency == .patient, let candidate = candidates.first { return await pair(link, pass, candidate, error) }
            complain(error, candidates)
            finish(link, .failed(DialFailure(error)))
        }
    }

    private func finish(_ link: LinkID, _ outcome: Outcome) {
        attempts[link] = nil
        onOutcome(link, outcome)
    }

    /// The first attempt is on its way when it returns.
    private func start(_ candidates: [CarFinder.Candidate], _ pass: FlightPass, _ urgency: DialUrgency) throws(CarrierError) -> PendingLink {
        guard let best = candidates.first else {
            complainNotFound()
            throw CarrierError(.unreachable, .network, "no car answers")
        }
        let known = finder.pinnedPeer()
        if known == nil, case .named(let name) = configuration.car {
            throw CarrierError(.notPaired, .user, "this phone is not paired with “\(name)” yet")
        }
        for candidate in candidates { tell(candidate, urgency) }
        let sources = Dictionary(candidates.map { ($0.address, $0.source) }) { first, _ in first }
        let events = events
        return try dialer.begin(
            to: candidates.map(\.address), expecting: known?.fingerprint, pace: urgency == .racing ? .racing() : .patient, flight: { pass.take() }
        ) { phase in
            var fields: [String: EventValue] = ["address": .string(phase.address.description), "source": .string(sources[phase.address] ?? best.source)]
            if phase.kind != .tcp {
                fields["ticket"] = .bool(phase.isResumed)
                fields["early_data"] = .string("\(phase.earlyData)")
            }
            events.emit(phase.kind.rawValue, fields, at: phase.at)
        }
    }

    private func tell(_ candidate: CarFinder.Candidate, _ urgency: DialUrgency) {
        events.emit("connecting", ["address": .string(candidate.address.description), "source": .string(candidate.source), "pace": .string("\(urgency)")],
                    narrated: tried.insert(candidate.address.description).inserted)
    }

    private func pair(_ link: LinkID, _ pass: FlightPass, _ candidate: CarFinder.Candidate, _ reason: CarrierError) async {
        do {
            try await pairing.pair(at: candidate.address, because: reason)
            guard attempts[link]?.pass === pass else { return }
            begin(link, FlightPass(box), .patient)
        } catch let busy as CarrierError {
            guard attempts[link]?.pass === pass else { return }
            complain(busy, [candidate])
            finish(link, .failed(.refused(.busy)))
        } catch {
            guard attempts[link]?.pass === pass else { return }
            finish(link, .hopeless(error))
        }
    }

    private func complain(_ error: CarrierError, _ candidates: [CarFinder.Candidate]) {
        guard let candidate = candidates.first else { return }
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

extension DialFailure {
    init(_ error: CarrierError) {
        switch error.code {
        case .notPaired: self = .notPaired
        case .busy: self = .refused(.busy)
        case .closed where error.closure?.initiator == .remote: self = .refused(error.closure?.code ?? .transportLost)
        case .handshakeTimeout, .connectionLost, .closed, .notFascia: self = .silent
        default: self = .unreachable
        }
    }
}

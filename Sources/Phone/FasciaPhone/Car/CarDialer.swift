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

    /// An attempt that begins by itself when a connection is lost, without waiting for the main actor.
    private struct Reflex {
        let link: LinkID
        let pass: FlightPass
        let candidates: [CarFinder.Candidate]
        let pending: PendingLink
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
    private var reflex: Reflex?
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
    var isDialing: Bool { !attempts.isEmpty || reflex != nil }
    /// The next urgent attempt is on its way.
    var hasBegun: Bool { reflex?.pending.started != nil }

    func dial(_ link: LinkID, _ urgency: DialUrgency) {
        defer { if urgency == .racing { askSoon(link) } }
        guard urgency == .racing, let reflex else { return begin(link, FlightPass(box), urgency) }
        self.reflex = nil
        // It may begin this very moment: who asks whether it has must have it never begin with the same question.
        guard !reflex.pending.drop(), let time = reflex.pending.started else { return begin(link, FlightPass(box), urgency) }
        for candidate in reflex.candidates { tell(candidate, urgency, at: time) }
        begin(link, reflex.pass, urgency, reflex.candidates, .success(reflex.pending))
    }

    /// Has the next attempt begin by itself when `session` is lost.
    /// - Parameter link: the session's number; nil: no connection is to be answered for.
    /// - Parameter renewed: what is known of the car's whereabouts has changed.
    /// - Returns: whether a flight is wanted for a new one.
    func keepReflex(for link: LinkID?, _ session: LinkSession?, renewed: Bool = false) -> Bool {
        guard reflex?.link != link || renewed else { return false }
        if let old = reflex {
            // The loss of that connection is on its way to be told: the attempt is wanted then.
            let hasBegun = !old.pending.drop()
            if hasBegun, old.link == link { return false }
            reflex = nil
            if hasBegun { giveUp(old.pending) }
        }
        guard let link, let session else { return false }
        var candidates = finder.candidates()
        if !candidates.contains(where: { $0.address == session.remote.address }) {
            candidates.insert(CarFinder.Candidate(address: session.remote.address, source: "last-address"), at: 0)
        }
        let pass = FlightPass(box)
        guard let pending = try? dialer.prepare(
            to: candidates.map(\.address), expecting: session.remote.fingerprint, pace: .racing(), beside: session,
            draft: FlightDraft(make: { pass.draft() }, take: { pass.takeDraft() }), flight: { pass.take() }, phases: report(candidates))
        else { return false }
        reflex = Reflex(link: link, pass: pass, candidates: candidates, pending: pending)
        session.onLoss(start: pending)
        return true
    }

    /// One that has become a session before it hears of this is ended: the car must not take it for the phone's choice.
    private func giveUp(_ pending: PendingLink) {
        pending.cancel()
        Task {
            guard let session = try? await pending.session() else { return }
            session.close(.superseded, detail: "given up")
        }
    }

    /// The flight is another one now.
    func refreshReflex() { reflex?.pending.refresh() }

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
        begin(link, pass, urgency, candidates, Result { () throws(CarrierError) in try start(candidates, pass, urgency) })
    }

    private func begin(
        _ link: LinkID, _ pass: FlightPass, _ urgency: DialUrgency, _ candidates: [CarFinder.Candidate], _ pending: Result<PendingLink, CarrierError>
    ) {
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
        guard !candidates.isEmpty else {
            complainNotFound()
            throw CarrierError(.unreachable, .network, "no car answers")
        }
        let known = finder.pinnedPeer()
        if known == nil, case .named(let name) = configuration.car {
            throw CarrierError(.notPaired, .user, "this phone is not paired with “\(name)” yet")
        }
        for candidate in candidates { tell(candidate, urgency) }
        return try dialer.begin(
            to: candidates.map(\.address), expecting: known?.fingerprint, pace: urgency == .racing ? .racing() : .patient, flight: { pass.take() },
            phases: report(candidates))
    }

    /// What is told of the steps of a connection to one of these.
    private func report(_ candidates: [CarFinder.Candidate]) -> @Sendable (ConnectPhase) -> Void {
        let sources = Dictionary(candidates.map { ($0.address, $0.source) }) { first, _ in first }
        let other = candidates.first?.source ?? ""
        let events = events
        return { phase in
            var fields: [String: EventValue] = ["address": .string(phase.address.description), "source": .string(sources[phase.address] ?? other)]
            if phase.kind != .tcp {
                fields["ticket"] = .bool(phase.isResumed)
                fields["early_data"] = .string("\(phase.earlyData)")
            }
            events.emit(phase.kind.rawValue, fields, at: phase.at)
        }
    }

    private func tell(_ candidate: CarFinder.Candidate, _ urgency: DialUrgency, at time: UInt64 = MonotonicClock.now()) {
        events.emit("connecting", ["address": .string(candidate.address.description), "source": .string(candidate.source), "pace": .string("\(urgency)")],
                    at: time, narrated: tried.insert(candidate.address.description).inserted)
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

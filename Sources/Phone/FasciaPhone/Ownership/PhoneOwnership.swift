import FasciaAudioSession
import FasciaEvents
import FasciaResources
import FasciaWire

/// The way to the car, for one connection.
protocol OwnershipLink: AnyObject {
    /// The connection has the ownership channel.
    var isGoverned: Bool { get }
    func send(_ request: [UInt8])
}

/// Who owns the car's screen and main audio, as the phone sees it, and what its sound wants of them (spec/ownership.md). Without a
/// car, or with one that does not speak of ownership, the phone has everything.
@MainActor
final class PhoneOwnership {
    /// Main audio is another's, or the phone's again.
    var onMainAudio: (MainAudio) -> Void = { _ in }
    /// The car refused what an app waits for.
    var onRefused: (AudioApp) -> Void = { _ in }
    /// What the car is in.
    var onCarStates: (AudioStates) -> Void = { _ in }
    /// The phone has the screen, or has it not.
    var onScreen: (Bool) -> Void = { _ in }

    /// What the sound wants, in its own words: what is to be asked for that depends on what the phone has then.
    private enum Job {
        case wish(OwnershipWish, for: AudioApp?)
        case states(AudioStates)
    }

    private var mirror = ResourceMirror()
    /// Not asked yet; one request at a time is on its way.
    private var jobs: [Job] = []
    private var link: (any OwnershipLink)?
    private let events: EventLog
    /// Requests for main audio, and who waits for the answer.
    private var wishes: [UInt64: AudioApp] = [:]
    /// The call that is on took main audio from the phone's own music: it goes back to that.
    private var callTook = false
    /// The phone is in them, session or not: a new car is told.
    private var said = AudioStates()
    /// As told last.
    private var told: (mainAudio: MainAudio, screen: Bool) = (.held, true)

    init(events: EventLog) { self.events = events }

    /// True until the car says something else.
    var hasScreen: Bool { mirror.holding(.screen).map { $0.holder == .phone } ?? true }

    var mainAudio: MainAudio {
        guard mirror.isGoverned else { return .held }
        guard let holding = mirror.holding(.mainAudio) else { return .free }
        return switch holding.holder {
        case .phone: holding.borrower == .phone ? .borrowed : .held
        case .none: .free
        case .car, .UNRECOGNIZED: .lost(lent: holding.owner == .phone)
        }
    }

    // MARK: Connections

    /// - Parameter resumed: the session goes on.
    func attach(_ link: any OwnershipLink, resumed: Bool) {
        self.link = link
        if !resumed { refuseJobs() }
        take(mirror.connected(governed: link.isGoverned, resumed: resumed))
        if !resumed, said != AudioStates() { say(said) }
        tell()
    }

    func detach() {
        link = nil
        mirror.lost()
    }

    /// The session is over.
    func ended() {
        link = nil
        refuseJobs()
        take(mirror.ended())
        wishes = [:]
        callTook = false
        tell()
    }

    /// - Throws: when the body does not decode.
    func receive(_ body: [UInt8]) throws {
        take(mirror.received(try OwnershipState(serializedBytes: body)))
        tell()
        sendNext()
    }

    // MARK: Sound

    /// - Parameter app: waits for the answer.
    func wish(_ wish: OwnershipWish, for app: AudioApp? = nil) {
        guard mirror.isGoverned else { return }
        if wish == .withdraw { return jobs.removeAll { if case .wish(.take(isUserInitiated: true), _) = $0 { true } else { false } } }
        guard jobs.count < OwnershipLimits.maximumWaiting else { return refuse(app) }
        jobs.append(.wish(wish, for: app))
        sendNext()
    }

    /// The phone is in these states now, and in no others.
    func say(_ states: AudioStates) {
        said = states
        guard mirror.isGoverned else { return }
        if case .states = jobs.last { jobs.removeLast() } // overtaken
        guard jobs.count < OwnershipLimits.maximumWaiting else { return }
        jobs.append(.states(states))
        sendNext()
    }

    private func ask(_ job: Job) {
        switch job {
        case .wish(let wish, let app): if let number = ask(wish) { wishes[number] = app } else { refuse(app) }
        case .states(let states):
            _ = mirror.say(.with {
                $0.speech = states.speech == .speaking ? .speaking : states.speech == .recognizing ? .recognizing : .none
                $0.call = states.call
            })
        }
    }

    private func ask(_ wish: OwnershipWish) -> UInt64? {
        let owns = mirror.holding(.mainAudio)?.owner == .phone
        return switch wish {
        case .take(let isUserInitiated): mirror.take(.mainAudio, isUserInitiated ? .userInitiated : .niceToHave, take: .anyTime, borrow: .anyTime, reason: "playback")
        case .borrow(let call): borrow(call: call, owns: owns)
        case .giveBack: giveBack(owns: owns)
        case .withdraw: nil // never a job
        }
    }

    /// Of a call what the phone has is protected, also what it owns already.
    private func borrow(call: Bool, owns: Bool) -> UInt64? {
        guard owns else { return mirror.borrow(.mainAudio, .userInitiated, unborrow: call ? .never : .userInitiated, reason: call ? "call" : "assistant") }
        callTook = true
        return mirror.take(.mainAudio, .userInitiated, take: call ? .never : .userInitiated, borrow: call ? .never : .userInitiated, reason: call ? "call" : "assistant")
    }

    private func giveBack(owns: Bool) -> UInt64? {
        guard callTook else { return mirror.giveBack(.mainAudio) }
        callTook = false
        return owns ? mirror.take(.mainAudio, .niceToHave, take: .anyTime, borrow: .anyTime, reason: "playback") : mirror.giveBack(.mainAudio)
    }

    // MARK: -

    private func sendNext() {
        guard let link else { return }
        while true {
            if mirror.isReady, !jobs.isEmpty { ask(jobs.removeFirst()) }
            guard let request = mirror.nextRequest() else { return }
            if let body: [UInt8] = try? request.serializedBytes() { link.send(body) }
        }
    }

    private func refuseJobs() {
        let refused = jobs
        jobs = []
        for case .wish(_, let app) in refused { refuse(app) }
    }

    private func refuse(_ app: AudioApp?) { if let app { onRefused(app) } }

    private func take(_ news: [ResourceMirror.Event]) {
        for event in news {
            switch event {
            case .changed(let change):
                guard change.kind != .adjusted else { continue }
                events.emit("ownership", [
                    "resource": .string(change.resource == .screen ? "screen" : "main-audio"), "change": .string(change.kind.rawValue),
                    "owner": .string(change.now.owner.name), "borrower": .string(change.now.borrower.name), "reason": .string(change.now.reason),
                ])
            case .carStates(let states):
                onCarStates(AudioStates(speech: states.speech == .none ? .none : states.speech == .recognizing ? .recognizing : .speaking, call: states.call))
            case .answered(let number, let refusal):
                let app = wishes.removeValue(forKey: number)
                guard refusal != .none else { continue }
                events.emit("ownership-refused", ["number": .unsigned(number), "refusal": .string(refusal.name)], narrated: false)
                refuse(app)
            case .givenUp(let number): refuse(wishes.removeValue(forKey: number))
            }
        }
    }

    private func tell() {
        if told.mainAudio != mainAudio {
            told.mainAudio = mainAudio
            onMainAudio(mainAudio)
        }
        if told.screen != hasScreen {
            told.screen = hasScreen
            onScreen(hasScreen)
        }
    }
}

extension Owner {
    fileprivate var name: String {
        switch self {
        case .none, .UNRECOGNIZED: "none"
        case .phone: "phone"
        case .car: "car"
        }
    }
}

extension OwnershipRefusal {
    fileprivate var name: String {
        switch self {
        case .none: "none"
        case .constraint: "constraint"
        case .notHeld: "not-held"
        case .stateTaken: "state-taken"
        case .invalid, .UNRECOGNIZED: "invalid"
        }
    }
}

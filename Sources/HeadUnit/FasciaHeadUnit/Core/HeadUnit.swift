import Dispatch
import FasciaCompositor
import FasciaEvents
import FasciaPaint
import FasciaResources
import FasciaSession
import FasciaSoundIO
import FasciaWire

/// The car's side of the link: one screen, at most one phone. Knows no network; `HeadUnitServer` brings phones to it.
///
/// ```
///            phoneArrived            first commit
///   home ------------------> connecting ---------> phone
///    ^  ^                        |                 |   ^
///    |  +---- ended -------------+---- ended ------+   | resumed
///    |                                             | lost
///    +-------- grace over, ended --------------- frozen
/// ```
@MainActor
final class HeadUnit {
    let options: HeadUnitOptions
    let display: Display
    let events: EventLog
    let waiters = ScreenWaiters()
    let sound: CarSound
    var model: NativeModel
    var vehicle: VehicleState
    var machine: CarSessionMachine<PhoneSession>
    var links = LinkTable()
    var input = InputReporter()
    /// Who owns screen and main audio.
    var arbiter = ResourceArbiter()
    /// What the car uses them for.
    var functions = CarFunctions()
    /// The phone on the connection there is has the ownership channel.
    var phoneIsGoverned = false
    /// Whose the finger on the screen is.
    var contact = ContactRouting()
    /// What the car's sound was told last.
    var soundState = CarSoundState()
    /// Told at once when what the car's sound has to know of ownership is another.
    var onSoundState: ((CarSoundState) -> Void)?
    var statistics = HeadUnitStatistics()
    let started = MonotonicClock.now()
    /// Name of the phone that was here last, or was paired first: the one waited for.
    var knownPhone: String?
    /// Told when a new phone may or may not be paired.
    var onPairingOpen: ((Bool) -> Void)?
    private lazy var sessionTimer = DeadlineTimer { [weak self] in self?.sessionDeadlineReached() }
    /// The connection whose first frame was told of.
    private weak var framesOn: (any PhoneLink)?
    /// Shown for a connection that has no Welcome yet.
    var early: EarlyFrame?
    /// The phone has been lost for so long that its picture says so.
    private var isLossShown = false
    private lazy var lossTimer = DeadlineTimer { [weak self] in self?.showLoss() }
    private lazy var noticeTimer = DeadlineTimer { [weak self] in self?.clearNotice() }
    private lazy var radioTimer = DeadlineTimer { [weak self] in self?.refresh() }
    private lazy var callTimer = DeadlineTimer { [weak self] in self?.callGoesOn() }
    lazy var volumeTimer = DeadlineTimer { [weak self] in self?.clearVolume() }
    /// Runs while the microphone's sign says what it is.
    lazy var microphoneTimer = DeadlineTimer { [weak self] in self?.shrinkMicrophone() }
    private lazy var clockTimer = DeadlineTimer { [weak self] in self?.refresh() }

    /// How long a notice about pairing stays, nanoseconds.
    static let noticeTime: UInt64 = 4_000_000_000

    /// - Parameter sound: the car's loudspeakers and microphone; nil: none.
    init(options: HeadUnitOptions, surface: any ScreenSurface, events: EventLog, sound: CarSound? = nil) throws(PaintError) {
        self.options = options
        self.events = events
        self.sound = sound ?? CarSound(sink: NullSink(), microphone: Microphone(.none))
        machine = CarSessionMachine(grace: options.timing.grace)
        display = try Display(profile: options.profile, surface: surface)
        model = NativeModel(carName: options.name)
        model.driverOnRight = options.profile.driverSide == .right
        model.night = true
        vehicle = .with {
            $0.night = true
            $0.driverSide = options.profile.driverSide == .right ? .right : .left
        }
        self.sound.onChange { [weak self] in
            DispatchQueue.main.async { MainActor.assumeIsolated { self?.soundChanged() } }
        }
        onSoundState = { [sound = self.sound] in sound.apply($0) }
        display.onPresented = { [weak self] now, milliseconds, changed in self?.presented(now, milliseconds, changed) }
    }

    /// Shows home.
    func start() { refresh() }

    func stop() {
        display.stop()
        sessionTimer.set(nil)
        noticeTimer.set(nil)
        lossTimer.set(nil)
        clockTimer.set(nil)
        callTimer.set(nil)
        radioTimer.set(nil)
        volumeTimer.set(nil)
        microphoneTimer.set(nil)
        sound.stop()
    }

    // MARK: Screen

    /// Who has the screen or may come back to it.
    var session: PhoneSession? { machine.holder?.presence }

    /// The connection that carries screen and input.
    var link: (any PhoneLink)? { machine.link.flatMap { links[$0] } }

    /// A phone has the screen or may come back to it: nobody else may pair or connect.
    var isOccupied: Bool { session != nil }

    private var content: Display.Content {
        if functions.reverse, carHasScreen { return .camera }
        guard let session, session.hasPicture, arbiter.screen.holder == .phone else { return .home }
        return machine.isFrozen && isLossShown ? .frozen(session) : .phone(session)
    }

    /// Brings the screen in line with the state.
    func refresh() {
        if let session {
            model.phase = .connecting(phone: session.peer.name)
        } else {
            model.phase = .waiting(known: knownPhone)
        }
        let time = WallClock.read()
        model.clock = time.clock
        model.date = time.date
        clockTimer.set(MonotonicClock.now() + time.validFor)
        model.radio = functions.radio ? .init(isHeard: soundState.radio, isNews: radioTimer.deadline != nil && soundState.radio) : nil
        model.call = functions.call.map { NativeModel.Call($0, now: MonotonicClock.now()) }
        var shown = model
        if isOccupied || model.notice?.hidesCode == true { shown.pairingCode = nil }
        display.show(content, shown)
        waiters.changed()
    }

    private func presented(_ now: UInt64, _ milliseconds: Double, _ changed: Bool) {
        if changed {
            statistics.frames += 1
            statistics.composite.record(milliseconds)
        }
        guard case .phone(let session) = display.content else { return }
        if early?.time == 0 { early?.time = now }
        acknowledge(session, at: now)
    }

    /// Tells the phone that its commits up to now are on the screen, or would be if the car did not have it (spec/ownership.md, O-21).
    func acknowledge(_ session: PhoneSession, at now: UInt64) {
        guard let link else { return }
        let since = session.waitingSince
        let now = early.map { $0.sequence == session.scene.sequence && $0.time > 0 ? $0.time : now } ?? now
        guard let acknowledgement = session.framePresented(at: now) else { return }
        if let since, since <= now { statistics.commitToFrame.record(Double(now - since) / 1e6) }
        if let body: [UInt8] = try? acknowledgement.serializedBytes() {
            link.send(channel: ScreenProfile.channel, type: MessageType.presented, body: body)
        }
        if session.causedBy > 0, let measure = input.measured(causedBy: session.causedBy, now: now, bytesIn: link.figures.bytesIn) {
            statistics.tapToFrame.record(measure.milliseconds)
            statistics.bytesPerUpdate.record(measure.bytes)
        }
        if framesOn !== link {
            framesOn = link
            events.emit("first-frame", ["phone": .string(session.peer.name), "sequence": .unsigned(acknowledgement.sequence)], at: now)
        }
        if options.tellsFrames { events.emit("frame", ["sequence": .unsigned(acknowledgement.sequence)], at: now, narrated: false) }
        waiters.changed()
    }

    // MARK: Lost and found

    /// The phone is lost: said on the screen when it does not come back at once.
    func phoneFrozen() {
        guard options.lossNoticeDelay > 0 else { return showLoss() }
        lossTimer.set(MonotonicClock.now() + options.lossNoticeDelay)
    }

    /// It is back, or will not come back.
    func phoneThawed() {
        isLossShown = false
        lossTimer.set(nil)
    }

    private func showLoss() {
        isLossShown = true
        refresh()
    }

    // MARK: Radio and call

    /// The radio begins to be heard: the screen says so for a moment.
    func radioBegins() { radioTimer.set(MonotonicClock.now() + Self.noticeTime) }

    /// The car's call is shown with its length.
    func watchCall() {
        guard case .talking(let since) = functions.call else { return callTimer.set(nil) }
        let second: UInt64 = 1_000_000_000, now = MonotonicClock.now()
        callTimer.set(since + ((now - since) / second + 1) * second)
    }

    private func callGoesOn() {
        refresh()
        watchCall()
    }

    // MARK: Notices

    func notice(_ kind: NativeModel.Notice.Kind, _ title: String, _ detail: String, hidesCode: Bool = false, for nanoseconds: UInt64 = noticeTime) {
        model.notice = .init(kind: kind, title: title, detail: detail, hidesCode: hidesCode)
        noticeTimer.set(MonotonicClock.now() + nanoseconds)
        refresh()
    }

    private func clearNotice() {
        model.notice = nil
        refresh()
    }

    // MARK: Car

    func setNight(_ night: Bool) {
        vehicle.night = night
        model.night = night
        vehicleChanged()
    }

    func setDriver(_ side: ScreenProfile.Side) {
        vehicle.driverSide = side == .right ? .right : .left
        model.driverOnRight = side == .right
        vehicleChanged()
    }

    private func vehicleChanged() {
        if let link, let body: [UInt8] = try? vehicle.serializedBytes() {
            link.send(channel: .vehicle, type: MessageType.vehicleState, body: body)
        }
        refresh()
    }

    // MARK: Session

    /// To be called after every input of the machine.
    func watchSession() { sessionTimer.set(machine.nextDeadline) }

    private func sessionDeadlineReached() { perform(machine.deadlineReached(now: MonotonicClock.now()).actions) }
}

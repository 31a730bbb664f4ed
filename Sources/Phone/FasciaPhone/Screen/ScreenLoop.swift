import FasciaCarrier
import FasciaEvents
import FasciaLink
import FasciaScene
import FasciaTemplateUI
import FasciaWire

/// Runs the template UI against one screen of the car: input goes in, states come out when the head unit is ready for
/// them, timers of the UI are kept. Knows no app and no network beyond `LinkSession.send`.
@MainActor
final class ScreenLoop {
    let interface: TemplateUI
    /// Called after every turn; the UI may have actions to take.
    var onTurn: () -> Void = {}
    /// After every turn: what is shown may have changed.
    var onShown: () -> Void = {}
    /// Before a state is sent.
    var onPublish: () -> Void = {}
    /// First commit of a connection presented.
    var onFirstFrame: (_ sequence: UInt32) -> Void = { _ in }

    /// False while the car shows something else: states go on, input is not for the phone.
    var hasScreen = true

    private(set) var traits = ScreenTraits()
    private var stream = DisplayStream()
    private var session: LinkSession?
    private var semanticsWanted = false
    private var awaitingFirstFrame = false
    /// A new connection gets a commit even if nothing changed: what was on its way on the old one may be lost.
    private var mustPublish = false
    /// The last state drawn.
    private var newest: SceneFrame?
    /// Newest input whose effect the next commit shows (spec `Commit.caused_by`).
    private var pendingInput: UInt32 = 0
    private lazy var alarm = DeadlineTimer { [weak self] in self?.turn() }
    private let events: EventLog
    private let workshop = PictureWorkshop()

    init(interface: TemplateUI, events: EventLog) {
        self.interface = interface
        self.events = events
        interface.leavesLargePictures = true
    }

    /// Highest commit known to be on the screen; goes into the next Hello's resume field.
    var presentedSequence: UInt32 { stream.presentedSequence }

    /// Draws the home screen once for a common screen, before there is a car: fonts are loaded and pictures decoded by
    /// the time the first frame has to be quick.
    func warmUp() {
        interface.setTraits(ScreenTraits(clock: WallClock.read().clock))
        while interface.needsRender { _ = interface.render(now: MonotonicClock.now()) }
        orderPictures()
    }

    /// What a new connection can be told of the state now, before the car has agreed to go on with the session: the state, and the
    /// messages that show it. Nil when the car may lack a picture it needs that cannot go along.
    /// - Parameter rendering: draws what has changed first, and takes new pictures along. Not while a connection stands: it has its own
    ///   pace.
    func speculation(rendering: Bool) throws -> (Speculation, [FirstFlight.Message])? {
        if rendering, interface.needsRender || newest == nil {
            newest = interface.render(now: MonotonicClock.now())
            mustPublish = true // on the connection there is
        }
        guard let newest, let speculation = stream.speculation(newest, bringingPictures: rendering) else { return nil }
        var messages = speculation.resources.map { FirstFlight.Message(channel: stream.channel, type: MessageType.resource, body: $0) }
        messages.append(FirstFlight.Message(channel: stream.channel, type: MessageType.commit, body: try speculation.commit.serializedBytes()))
        if semanticsWanted {
            messages.append(FirstFlight.Message(channel: .semantics, type: MessageType.semanticsUpdate, body: try speculation.semantics.serializedBytes()))
        }
        return (speculation, messages)
    }

    /// - Parameter speculation: what was said in advance on this connection, if the car goes on with the session.
    func attach(_ session: LinkSession, counting speculation: Speculation? = nil) {
        guard let screen = session.welcome.screens.first else { return }
        self.session = session
        awaitingFirstFrame = true
        pendingInput = 0
        interface.inputLost(now: MonotonicClock.now()) // what was pressed when the last connection went stays without its end
        semanticsWanted = session.welcome.channels.contains(UInt32(ChannelID.semantics.rawValue))
        let isShown = stream.connect(session.welcome, channel: UInt16(truncatingIfNeeded: screen.channel), counting: speculation)
        mustPublish = !isShown || speculation?.frame != newest
        setTraits(ScreenTraits(session.welcome, clock: WallClock.read().clock))
        turn()
    }

    func detach() { session = nil }

    /// True when the message was for the screen.
    func receive(channel: UInt16, type: UInt16, body: [UInt8]) throws -> Bool {
        guard let message = try CarMessage(channel: ChannelID(channel), type: type, body: body, display: stream.channel) else { return false }
        guard hasScreen || !message.isScreenInput else { return true }
        let now = MonotonicClock.now()
        switch message {
        case .touch(let event): interface.touch(event, now: now)
        case .knob(let event): interface.knob(event, now: now)
        case .key(let event): interface.key(event, now: now)
        case .touchpad(let event): interface.touchpad(event, now: now)
        case .vehicle(let state):
            var changed = traits
            changed.update(state)
            setTraits(changed)
        case .presented(let message): presented(message)
        }
        if let sequence = message.inputSequence { pendingInput = sequence }
        turn()
        return true
    }

    private func presented(_ message: Presented) {
        stream.presented(message)
        guard awaitingFirstFrame else { return }
        awaitingFirstFrame = false
        onFirstFrame(message.sequence)
    }

    /// Lets the UI catch up with the time, takes its actions, sends what changed.
    func turn() {
        interface.advance(now: MonotonicClock.now())
        onTurn()
        render()
        orderPictures()
        alarm.set(interface.nextDeadline)
        onShown()
    }

    private func orderPictures() {
        for order in interface.takePictureOrders() {
            Task {
                let result = await workshop.paint(order)
                interface.painted(order, result)
                turn()
            }
        }
    }

    func application(_ id: String, _ state: ApplicationState) { interface.applicationState(id, state, now: MonotonicClock.now()) }

    func setClock(_ text: String) {
        traits.clock = text
        interface.setTraits(traits)
        turn()
    }

    private func setTraits(_ new: ScreenTraits) {
        traits = new
        interface.setTraits(new)
    }

    private func render() {
        guard let session, stream.isReady, interface.needsRender || mustPublish else { return }
        mustPublish = false
        let frame = interface.render(now: MonotonicClock.now())
        newest = frame
        do {
            let messages = try stream.messages(for: frame, causedBy: pendingInput, semanticsWanted: semanticsWanted)
            if !messages.isEmpty { onPublish() }
            for message in messages { send(message, on: session) }
        } catch {
            events.emit("internal-error", ["what": "a screen state could not be encoded", "error": .string("\(error)")])
        }
        pendingInput = 0
    }

    private func send(_ message: OutboundMessage, on session: LinkSession) {
        if case .refused(let refusal) = session.send(channel: message.channel.rawValue, type: message.type, body: message.body), refusal != .closed {
            session.close(.internalError, detail: "a screen update could not be sent: \(refusal)")
        }
    }
}

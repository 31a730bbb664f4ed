import FasciaFraming
import FasciaWire

/// One end of one connection, without I/O and without a clock: bytes and times go in, events and bytes come out.
///
/// After every `receive`, `deadlineReached`, `transportEnded` and `accept`: take all events with `nextEvent`, write what
/// `transmit` gives while the socket takes it, and wake up at `nextDeadline`. Read the socket before telling that a deadline has passed.
/// After `.closed` transmit what is left, then end the transport.
public struct LinkMachine: Sendable {
    var configuration: LinkConfiguration
    var state: LinkState
    /// Why it is closed; nil before.
    public internal(set) var closure: LinkClosure?
    /// Latest time passed in.
    var clock: LinkInstant

    // Inbound
    var parser: FrameParser
    var events = EventQueue()
    /// Messages of sound channels, while they are taken apart from the events.
    var direct = EventQueue()
    /// Whether messages of sound channels (spec/sound.md) go to `nextDirectMessage` and not among the events: who plays sound must not
    /// wait for who draws. What waits among the events moves there.
    public var deliversSoundDirectly = false {
        didSet { if deliversSoundDirectly { events.moveSound(to: &direct) } }
    }
    /// Messages that came while the head unit is deciding.
    var held: [(slot: Int, type: UInt16, body: [UInt8], credit: Int)] = []
    /// Head unit: what the phone sent speculatively was refused, and Proceed has not come.
    var awaitsProceed = false
    /// What was seen before the bytes of this instant: an end they tell of is not without it, however they are cut.
    var settledDoubts: [Evidence] = []

    // Channels, in the order in which they are served.
    var channels: [LinkChannel]
    /// Channel number -> index in `channels`, -1 when there is none.
    var slots: [Int8]
    /// Index of `channels` served last, so that channels of equal priority take turns.
    var lastServed = 0

    // Outbound
    var output = OutputState()
    var grease: Grease?
    /// Longest payload the peer takes, in bytes.
    var sendMaxPayload = FramingLimits.defaultMaxPayload

    var liveness: LivenessState
    /// Whether answers to probes carry their sender's clock.
    var carriesClock = false
    var peerClock = ClockFilter()
    /// Whether `peerClock` should be kept fresh: then a probe goes out at least once a second, if the capability is in force.
    public var needsClock = false
    /// Whether the peer has sent something that answers what this end sent since channels are open.
    public internal(set) var hasPeerAnswered = false
    var counters = LinkStatistics()

    /// Starts a connection whose transport is connected (and whose TLS handshake is done).
    public init(configuration: LinkConfiguration, now: LinkInstant) {
        self.configuration = configuration
        clock = now
        parser = FrameParser()
        slots = Array(repeating: -1, count: Self.slotCount)
        channels = []
        grease = configuration.greaseSeed.map(Grease.init)
        switch configuration.mode {
        case .pairing:
            state = .pairing(PairingProgress(end: configuration.end))
            liveness = LivenessState(handshakeDeadline: now.advanced(nanoseconds: LinkConstants.pairingTimeout), timing: .pairing, now: now)
        case .session:
            state = .helloAwaited
            liveness = LivenessState(handshakeDeadline: now.advanced(nanoseconds: LinkConstants.handshakeTimeout), timing: nil, now: now)
        }
        addChannels([.control])
        channels[0].inbound = .delivered
        channels[0].outbound = .open
        if configuration.mode == .session, case .phone(let hello) = configuration.role { sayHello(hello) }
    }

    /// Channels of version 1 have numbers below this.
    static let slotCount = 64

    /// Index of a channel's state, or nil.
    @inline(__always)
    func slot(_ channel: UInt16) -> Int? {
        if channel >= Self.slotCount { return nil }
        let slot = Int(slots[Int(channel)])
        return slot < 0 ? nil : slot
    }

    /// Adds known channels, closed, and sorts by priority. Called before any index is kept.
    mutating func addChannels(_ ids: [ChannelID], maxReceived: Int = .max) {
        for id in ids {
            guard let kind = ChannelKind(id), slot(id.rawValue) == nil else { continue }
            channels.append(LinkChannel(id, kind, maxReceived: maxReceived))
            slots[Int(id.rawValue)] = Int8(channels.count - 1)
        }
        channels.sort { ($0.kind.priority, $0.id) < ($1.kind.priority, $1.id) }
        for (index, channel) in channels.enumerated() { slots[Int(channel.id.rawValue)] = Int8(index) }
    }
}

extension LinkMachine {
    /// Whether the connection has ended: nothing is read or queued any more.
    public var isClosed: Bool {
        if case .closed = state { true } else { false }
    }

    /// Whether channels are open.
    public var isOpen: Bool {
        if case .open = state { true } else { false }
    }

    /// Whether nothing has been heard for the suspect time.
    public var isSuspect: Bool { liveness.suspectSince != nil }

    /// Whether a probe's answer is overdue, or nothing was heard since it was.
    public var isLate: Bool { liveness.lateSince != nil }

    /// What is known of the peer's clock; nil until it has answered a probe with it.
    public var clockEstimate: ClockEstimate? { peerClock.estimate }

    /// Timing in force; nil before Welcome.
    public var timing: LinkTiming? { liveness.timing }

    /// The next thing that happened, oldest first. Taking a message gives its credit back to the peer.
    public mutating func nextEvent() -> LinkEvent? {
        guard let entry = events.next() else { return nil }
        if let owed = entry.owed { taken(owed.credit, slot: owed.slot) }
        return entry.event
    }

    /// The next message of a sound channel, oldest first, while `deliversSoundDirectly`. Taking it gives its credit back to the peer.
    public mutating func nextDirectMessage() -> (channel: ChannelID, type: UInt16, body: [UInt8])? {
        guard let entry = direct.next() else { return nil }
        if let owed = entry.owed { taken(owed.credit, slot: owed.slot) }
        guard case .message(let channel, let type, let body) = entry.event else { return nil }
        return (channel, type, body)
    }

    /// Counters up to now.
    public var statistics: LinkStatistics {
        var statistics = counters
        statistics.roundTrip = liveness.roundTrip.smoothed
        statistics.clock = peerClock.estimate
        statistics.shortestRoundTrip = liveness.roundTrip.shortest
        for channel in channels where channel.outbound == .open { statistics.queuedBytes[channel.id] = channel.queue.bytes }
        return statistics
    }
}

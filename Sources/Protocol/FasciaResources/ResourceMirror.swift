public import FasciaWire

/// The phone's view of who owns the screen and main audio, and its requests (spec/ownership.md). Sans I/O, no clock.
///
/// ```
///             connected(governed)         first state
///   free ------------------------> joining -----------> governed --lost--> joining
///    ^  \_connected(not governed)_/                        |
///    +-------------------- ended --------------------------+
/// ```
/// While *free* (no car, or one that does not speak of ownership) the phone behaves as if it owned everything.
/// Send what ``nextRequest()`` gives after every call.
public struct ResourceMirror: Sendable {
    private enum Phase: Equatable {
        case free
        /// A connection has not begun yet, or its first state has not come. Nothing is asked before.
        case joining
        case governed
    }

    /// What a state brings.
    public enum Event: Sendable, Equatable {
        case changed(OwnershipChange)
        /// The car's app states are others now.
        case carStates(AppStates)
        /// A request has its answer; exactly one for each, or `givenUp`.
        case answered(UInt64, OwnershipRefusal)
        /// The session ended first.
        case givenUp(UInt64)
    }

    /// As the car says; nil while the phone is free.
    public private(set) var state: OwnershipState?
    private var phase = Phase.free
    /// The first one is on its way when `isAsked`.
    private var waiting: [OwnershipRequest] = []
    private var isAsked = false
    private var lastNumber: UInt64 = 0

    public init() {}

    /// The car decides: there is a session with a head unit that speaks of ownership.
    public var isGoverned: Bool { phase != .free }

    /// A request would go out at once.
    public var isReady: Bool { phase == .governed && waiting.isEmpty }

    /// Whether the phone uses `resource` now.
    public func has(_ resource: OwnedResource) -> Bool { isGoverned ? state?.holding(resource).holder == .phone : true }

    /// Nil while the phone is free, or has not heard yet.
    public func holding(_ resource: OwnedResource) -> Holding? { state?.holding(resource) }

    public var phoneStates: AppStates { state?.phoneStates ?? AppStates() }
    public var carStates: AppStates { state?.carStates ?? AppStates() }

    // MARK: Requests

    /// - Returns: the request's number; nil when the phone is free, or far too many wait.
    public mutating func take(
        _ resource: OwnedResource, _ priority: OwnershipPriority, take: OwnershipConstraint, borrow: OwnershipConstraint, reason: String = ""
    ) -> UInt64? {
        ask(.take(.with {
            ($0.resource, $0.priority, $0.takeConstraint, $0.borrowConstraint) = (resource, priority, take, borrow)
            $0.reason = Self.short(reason)
        }))
    }

    public mutating func borrow(_ resource: OwnedResource, _ priority: OwnershipPriority, unborrow: OwnershipConstraint, reason: String = "") -> UInt64? {
        ask(.borrow(.with {
            ($0.resource, $0.priority, $0.unborrowConstraint) = (resource, priority, unborrow)
            $0.reason = Self.short(reason)
        }))
    }

    public mutating func giveBack(_ resource: OwnedResource) -> UInt64? { ask(.return(.with { $0.resource = resource })) }

    /// - Parameter states: all that the phone is in.
    public mutating func say(_ states: AppStates) -> UInt64? { ask(.states(states)) }

    private mutating func ask(_ request: OwnershipRequest.OneOf_Request) -> UInt64? {
        guard isGoverned, waiting.count < OwnershipLimits.maximumWaiting else { return nil }
        lastNumber &+= 1
        waiting.append(.with {
            $0.number = lastNumber
            $0.request = request
        })
        return lastNumber
    }

    /// What is to be sent now: one request at a time is on its way.
    public mutating func nextRequest() -> OwnershipRequest? {
        guard phase == .governed, !isAsked, let request = waiting.first else { return nil }
        isAsked = true
        return request
    }

    // MARK: Connections

    /// Screen and input belong to a connection.
    /// - Parameters:
    ///   - governed: it has the ownership channel.
    ///   - resumed: it goes on with the session.
    public mutating func connected(governed: Bool, resumed: Bool) -> [Event] {
        let events = resumed && governed == isGoverned ? [] : ended()
        phase = governed ? .joining : .free
        return events
    }

    /// The connection is over and the session kept.
    public mutating func lost() { if phase == .governed { phase = .joining } }

    /// The session is over.
    public mutating func ended() -> [Event] {
        let events = waiting.map { Event.givenUp($0.number) }
        self = ResourceMirror()
        return events
    }

    // MARK: States

    /// The car's state. One that is not newer than what is known of this connection is ignored, and so is any while the phone is free.
    public mutating func received(_ new: OwnershipState) -> [Event] {
        guard phase != .free, phase == .joining || new.sequence > (state?.sequence ?? 0) else { return [] }
        let first = phase == .joining
        phase = .governed
        let old = state
        let now = OwnershipState.with {
            ($0.sequence, $0.answers, $0.refusal) = (new.sequence, new.answers, new.refusal)
            ($0.screen, $0.mainAudio) = (new.screen.read, new.mainAudio.read)
            ($0.phoneStates, $0.carStates) = (new.phoneStates.read, new.carStates.read)
        }
        state = now
        var events: [Event] = []
        var isOwnDoing = false
        if isAsked, let asked = waiting.first {
            if new.answers == asked.number {
                waiting.removeFirst()
                isAsked = false
                isOwnDoing = true
                events.append(.answered(asked.number, new.refusal.read))
            } else if first {
                isAsked = false // it was lost: asked again
            }
        }
        for resource in [OwnedResource.screen, .mainAudio] {
            let before = old?.holding(resource) ?? Holding(), after = now.holding(resource)
            if before != after { events.append(.changed(OwnershipChange(resource, before: before, now: after, isOwnDoing: isOwnDoing))) }
        }
        if (old?.carStates ?? AppStates()) != now.carStates { events.append(.carStates(now.carStates)) }
        return events
    }

    /// Cut between characters to what the car takes.
    private static func short(_ reason: String) -> String {
        var short = reason
        if short.utf8.count > 4 * OwnershipLimits.maximumReason { short = String(short.prefix(OwnershipLimits.maximumReason)) }
        while short.utf8.count > OwnershipLimits.maximumReason { short.removeLast() }
        return short
    }
}

extension OwnershipRefusal {
    fileprivate var read: OwnershipRefusal {
        switch self {
        case .none, .constraint, .notHeld, .stateTaken, .invalid: self
        case .UNRECOGNIZED: .invalid
        }
    }
}

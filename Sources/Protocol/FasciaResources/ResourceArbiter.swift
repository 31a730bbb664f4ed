public import FasciaWire

/// Decides on the head unit who owns the screen and main audio (spec/ownership.md). Sans I/O, no clock; lives as long as the car does.
///
/// ```
///   phone: OwnershipRequest --> phoneRequest --+
///                                              +--> holdings, app states --> OwnershipState, to the phone
///   car:  carTakes, carBorrows, carReturns ----+
/// ```
/// Every state it hands out is to be sent, in the order made, on the connection there is. Without one it is dropped: the next
/// connection begins with a state of its own.
public struct ResourceArbiter: Sendable {
    public private(set) var screen = Holding()
    public private(set) var mainAudio = Holding()
    public private(set) var phoneStates = AppStates()
    public private(set) var carStates = AppStates()
    /// A session is there, with or without a connection.
    public private(set) var hasPhone = false
    private var sequence: UInt64 = 0
    /// Of this session's last request, and what became of it.
    private var answered: (number: UInt64, refusal: OwnershipRefusal) = (0, .none)

    public init() {}

    public subscript(_ resource: OwnedResource) -> Holding? {
        switch resource {
        case .screen: screen
        case .mainAudio: mainAudio
        case .unspecified, .UNRECOGNIZED: nil
        }
    }

    /// Whole, as it is now, under the number it was last told with.
    public var state: OwnershipState { state(answers: 0, .none) }

    // MARK: Phone

    /// The answer to a request; every request has one.
    public mutating func phoneRequest(_ request: OwnershipRequest) -> OwnershipState {
        guard hasPhone, request.number != 0, request.number == answered.number &+ 1 else { return next(answers: request.number, .invalid) }
        let refusal = decide(request)
        answered = (request.number, refusal)
        return next(answers: request.number, refusal)
    }

    /// A new session: its phone owns the screen unless the car took it.
    /// - Returns: the first message of its connection.
    public mutating func phoneConnected() -> OwnershipState {
        phoneGone()
        hasPhone = true
        if screen.owner == .none { screen.become(ownedBy: .phone) }
        return next(answers: 0, .none)
    }

    /// The session goes on over a new connection.
    /// - Returns: the first message of that connection. It says what the last request led to: the phone may not have heard.
    public mutating func resumed() -> OwnershipState { next(answers: answered.number, answered.refusal) }

    /// The session is over: what the phone had is nobody's, and the car's before all.
    public mutating func phoneGone() {
        hasPhone = false
        answered = (0, .none)
        phoneStates = AppStates()
        _ = screen.giveBack(by: .phone)
        _ = mainAudio.giveBack(by: .phone)
    }

    private mutating func decide(_ request: OwnershipRequest) -> OwnershipRefusal {
        switch request.request {
        case .take(var take):
            guard take.priority.isKnown, take.takeConstraint.isKnown, take.borrowConstraint.isKnown, Self.isShort(take.reason) else { return .invalid }
            if take.resource == .screen { (take.takeConstraint, take.borrowConstraint) = (take.takeConstraint.forScreen, take.borrowConstraint.forScreen) }
            return change(take.resource) { $0.take(by: .phone, take) }
        case .borrow(var borrow):
            guard borrow.priority.isKnown, borrow.unborrowConstraint.isKnown, Self.isShort(borrow.reason) else { return .invalid }
            if borrow.resource == .screen { borrow.unborrowConstraint = borrow.unborrowConstraint.forScreen }
            return change(borrow.resource) { $0.borrow(by: .phone, borrow) }
        case .return(let back): return change(back.resource) { $0.giveBack(by: .phone) }
        case .states(let states):
            guard states.isKnown else { return .invalid }
            guard !states.collides(with: carStates) else { return .stateTaken }
            phoneStates = states.plain
            return .none
        case nil: return .invalid
        }
    }

    // MARK: Car

    /// What became of a wish of the car's.
    public enum Verdict: Sendable, Equatable {
        /// To be told the phone.
        case granted(OwnershipState)
        /// Nothing changed.
        case refused(OwnershipRefusal)

        public var isGranted: Bool {
            if case .granted = self { true } else { false }
        }
    }

    public mutating func carTakes(
        _ resource: OwnedResource, _ priority: OwnershipPriority, take: OwnershipConstraint, borrow: OwnershipConstraint, reason: String
    ) -> Verdict {
        verdict(change(resource) {
            $0.take(by: .car, .with { ($0.priority, $0.takeConstraint, $0.borrowConstraint, $0.reason) = (priority, take, borrow, reason) })
        })
    }

    public mutating func carBorrows(_ resource: OwnedResource, _ priority: OwnershipPriority, unborrow: OwnershipConstraint, reason: String) -> Verdict {
        verdict(change(resource) { $0.borrow(by: .car, .with { ($0.priority, $0.unborrowConstraint, $0.reason) = (priority, unborrow, reason) }) })
    }

    public mutating func carReturns(_ resource: OwnedResource) -> Verdict {
        let wasOwner = self[resource]?.owner == .car
        let refusal = change(resource) { $0.giveBack(by: .car) }
        // A screen the car had taken is for the phone again (O-8).
        if resource == .screen, wasOwner, hasPhone { screen.become(ownedBy: .phone) }
        return verdict(refusal)
    }

    /// - Parameter states: all that the car is in.
    public mutating func carStates(_ states: AppStates) -> Verdict {
        guard states.isKnown else { return .refused(.invalid) }
        guard !states.collides(with: phoneStates) else { return .refused(.stateTaken) }
        carStates = states.plain
        return verdict(.none)
    }

    // MARK: -

    private mutating func verdict(_ refusal: OwnershipRefusal) -> Verdict { refusal == .none ? .granted(next(answers: 0, .none)) : .refused(refusal) }

    private mutating func change(_ resource: OwnedResource, _ transfer: (inout Holding) -> OwnershipRefusal) -> OwnershipRefusal {
        switch resource {
        case .screen: transfer(&screen)
        case .mainAudio: transfer(&mainAudio)
        case .unspecified, .UNRECOGNIZED: .invalid
        }
    }

    private mutating func next(answers number: UInt64, _ refusal: OwnershipRefusal) -> OwnershipState {
        sequence &+= 1
        return state(answers: number, refusal)
    }

    private func state(answers number: UInt64, _ refusal: OwnershipRefusal) -> OwnershipState {
        .with {
            $0.sequence = sequence
            $0.screen = screen
            $0.mainAudio = mainAudio
            $0.phoneStates = phoneStates
            $0.carStates = carStates
            $0.answers = number
            $0.refusal = refusal
        }
    }

    private static func isShort(_ reason: String) -> Bool { reason.utf8.count <= OwnershipLimits.maximumReason }
}

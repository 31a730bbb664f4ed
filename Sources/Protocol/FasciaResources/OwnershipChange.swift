public import FasciaWire

/// What a new state means to the phone, for one resource.
public struct OwnershipChange: Sendable, Equatable {
    public enum Kind: String, Sendable, Equatable {
        /// The phone has it now, and had not lent it.
        case gained
        /// The car has it for a while; the phone gets it back.
        case lent
        /// The phone has again what it had lent.
        case givenBack = "given-back"
        /// The phone does not have it any more, and will not get it back by itself.
        case taken
        /// The phone gave it back itself.
        case released
        /// The car does not have it any more, and nobody else does.
        case freed
        /// Anything else: constraints, an owner that waits.
        case adjusted
    }

    public let kind: Kind
    public let resource: OwnedResource
    public let before: Holding
    public let now: Holding

    /// - Parameter isOwnDoing: the state answers a request of the phone's.
    init(_ resource: OwnedResource, before: Holding, now: Holding, isOwnDoing: Bool) {
        self.resource = resource
        self.before = before
        self.now = now
        let had = before.holder == .phone, has = now.holder == .phone
        let counted = before.owner == .phone || before.borrower == .phone, counts = now.owner == .phone || now.borrower == .phone
        kind =
            switch (had, has) {
            case (false, true): before.owner == .phone ? .givenBack : .gained
            case (true, false) where now.owner == .phone: .lent
            case (_, false) where counted && !counts: isOwnDoing ? .released : .taken
            case (false, false) where before.holder == .car && now.holder == .none: .freed
            default: .adjusted
            }
    }
}

extension OwnershipState {
    func holding(_ resource: OwnedResource) -> Holding { resource == .screen ? screen : mainAudio }
}

extension Holding {
    /// As a phone reads it (O-18): what it does not know is the car's, and as strict as can be.
    var read: Holding {
        var copy = Holding()
        copy.owner = owner.read
        copy.borrower = borrower.read == copy.owner ? .none : borrower.read
        copy.takeConstraint = takeConstraint.read
        copy.borrowConstraint = borrowConstraint.read
        copy.unborrowConstraint = unborrowConstraint.read
        copy.reason = reason.utf8.count <= OwnershipLimits.maximumReason ? reason : ""
        return copy
    }
}

extension Owner {
    fileprivate var read: Owner {
        switch self {
        case .none, .phone, .car: self
        case .UNRECOGNIZED: .car
        }
    }
}

extension OwnershipConstraint {
    fileprivate var read: OwnershipConstraint {
        switch self {
        case .unspecified, .anyTime, .userInitiated, .never: self
        case .UNRECOGNIZED: .never
        }
    }
}

extension AppStates {
    /// As a phone reads the car's: speech it does not know is speech.
    var read: AppStates {
        var copy = plain
        if case .UNRECOGNIZED = speech { copy.speech = .speaking }
        return copy
    }
}

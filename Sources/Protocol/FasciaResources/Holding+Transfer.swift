public import FasciaWire

/// The transitions of spec/ownership.md, 3.3, for one resource; which end asks makes no difference.
extension Holding {
    /// Who uses it now: the one it is lent to, else its owner.
    public var holder: Owner { borrower == .none ? owner : borrower }

    /// Owns it from now on, if what stands in the way allows it.
    mutating func take(by asker: Owner, _ request: OwnershipRequest.Take) -> OwnershipRefusal {
        let isLentAway = borrower != .none && borrower != asker
        if owner == asker {
            guard !isLentAway || unborrowConstraint.allows(request.priority) else { return .constraint }
            endBorrow()
        } else if owner == .none {
            // Whom it is lent to keeps it, if it may: the owner waits.
            if !isLentAway || unborrowConstraint.allows(request.priority) { endBorrow() }
        } else {
            guard takeConstraint.allows(request.priority) else { return .constraint }
            endBorrow()
        }
        owner = asker
        takeConstraint = request.takeConstraint
        borrowConstraint = request.borrowConstraint
        reason = request.reason
        return .none
    }

    /// Uses it for a while, if what stands in the way allows it.
    mutating func borrow(by asker: Owner, _ request: OwnershipRequest.Borrow) -> OwnershipRefusal {
        let isLentAway = borrower != .none && borrower != asker
        if isLentAway {
            guard unborrowConstraint.allows(request.priority) else { return .constraint }
        } else if borrower == .none, owner != .none, owner != asker {
            guard borrowConstraint.allows(request.priority) else { return .constraint }
        }
        if owner == asker {
            // It has it already, or gets it back.
            guard isLentAway else { return .none }
            endBorrow()
        } else {
            borrower = asker
            unborrowConstraint = request.unborrowConstraint
        }
        reason = request.reason
        return .none
    }

    /// Gives back what it has: what was lent to it, else what it owns.
    mutating func giveBack(by asker: Owner) -> OwnershipRefusal {
        if borrower == asker {
            endBorrow()
        } else if owner == asker {
            owner = .none
            takeConstraint = .unspecified
            borrowConstraint = .unspecified
        } else {
            return .notHeld
        }
        if borrower == .none { reason = "" }
        return .none
    }

    /// Belongs to `owner` without having been asked for: the phone's hold of the screen (O-7, O-8).
    mutating func become(ownedBy owner: Owner) {
        if borrower == owner { endBorrow() }
        self.owner = owner
        takeConstraint = .userInitiated
        borrowConstraint = .anyTime
        reason = ""
    }

    private mutating func endBorrow() {
        borrower = .none
        unborrowConstraint = .unspecified
    }
}

extension OwnershipConstraint {
    /// Whether a request of this priority gets past it.
    func allows(_ priority: OwnershipPriority) -> Bool {
        switch self {
        case .anyTime: true
        case .userInitiated: priority == .userInitiated
        case .never, .unspecified, .UNRECOGNIZED: false
        }
    }

    /// The driver needs the screen for the reversing camera, whatever a phone says (O-9).
    var forScreen: OwnershipConstraint { self == .never ? .userInitiated : self }

    var isKnown: Bool {
        switch self {
        case .anyTime, .userInitiated, .never: true
        case .unspecified, .UNRECOGNIZED: false
        }
    }
}

extension OwnershipPriority {
    var isKnown: Bool { self == .niceToHave || self == .userInitiated }
}

extension AppStates {
    var isKnown: Bool {
        switch speech {
        case .none, .speaking, .recognizing: true
        case .UNRECOGNIZED: false
        }
    }

    /// Whether both ends would be in a state that only one can be in.
    func collides(with other: AppStates) -> Bool {
        (speech != .none && other.speech != .none) || (call && other.call) || (turnByTurn && other.turnByTurn)
    }

    /// Only what this version knows.
    var plain: AppStates {
        var copy = self
        copy.unknownFields = .init()
        return copy
    }
}

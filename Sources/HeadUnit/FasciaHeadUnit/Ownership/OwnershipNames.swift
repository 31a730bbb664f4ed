import FasciaWire

extension Owner {
    var text: String {
        switch self {
        case .none, .UNRECOGNIZED: "none"
        case .phone: "phone"
        case .car: "car"
        }
    }
}

extension OwnedResource {
    var text: String { self == .screen ? "screen" : "main-audio" }
}

extension OwnershipRefusal {
    var text: String {
        switch self {
        case .none: "none"
        case .constraint: "constraint"
        case .notHeld: "not-held"
        case .stateTaken: "state-taken"
        case .invalid, .UNRECOGNIZED: "invalid"
        }
    }
}

extension AppStates {
    /// What an end is in.
    var names: [String] {
        (speech == .speaking ? ["speaking"] : speech == .recognizing ? ["recognizing"] : []) + (call ? ["call"] : []) + (turnByTurn ? ["turn-by-turn"] : [])
    }
}

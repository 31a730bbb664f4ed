/// Something seen outside the link that says how the link is (DESIGN 3.6). Never death by itself: the link is asked.
public struct EvidenceEvent: Sendable, Equatable {
    public enum Kind: Sendable, Equatable {
        /// The interface went down, lost its carrier or is gone.
        case carrierLost(interface: String)
        /// The interface is up and has a carrier (again), or is new.
        case carrierBack(interface: String)
        /// A numeric address was taken from the interface.
        case addressLost(address: String, interface: String)
        /// The interface has one more numeric address.
        case addressAdded(address: String, interface: String)
        /// The phone is no longer charged: in a car, mostly, the cable was pulled or the engine stopped.
        case powerLost
        /// The phone is charged again.
        case powerBack
        /// Somebody set the wall clock, or the machine slept: it is so many nanoseconds ahead (behind, if negative) of where it would be.
        case clockStepped(by: Int64)
    }

    public let kind: Kind
    /// When it was seen, `MonotonicClock` nanoseconds.
    public let at: UInt64

    public init(_ kind: Kind, at: UInt64) {
        self.kind = kind
        self.at = at
    }
}

extension EvidenceEvent.Kind {
    /// Short name for event logs: the name of the case, as the link's own evidence has it.
    public var name: String {
        switch self {
        case .carrierLost: "carrierLost"
        case .carrierBack: "carrierBack"
        case .addressLost: "addressLost"
        case .addressAdded: "addressAdded"
        case .powerLost: "powerLost"
        case .powerBack: "powerBack"
        case .clockStepped: "clockStepped"
        }
    }

    /// What exactly, for people.
    public var detail: String {
        switch self {
        case .carrierLost(let interface), .carrierBack(let interface): interface
        case .addressLost(let address, let interface), .addressAdded(let address, let interface): "\(address) on \(interface)"
        case .powerLost: "discharging"
        case .powerBack: "charging"
        case .clockStepped(let nanoseconds): "by \(nanoseconds / 1_000_000) ms"
        }
    }
}

import ArgumentParser

/// What is done to a connected pair, and when it counts as over.
enum ReconnectFault: String, CaseIterable, ExpressibleByArgument, Sendable {
    case goodbye, reset, blackhole
    case killHeadUnit = "kill-headunit"
    case killPhone = "kill-phone"
    case carrier, restart, cut, publish

    var what: String {
        switch self {
        case .goodbye: "the head unit ends the session with a goodbye and stays"
        case .reset: "TCP is broken off by a reset"
        case .blackhole: "both ways silent until the phone has given the connection up, then open again"
        case .killHeadUnit: "kill -9 of the head unit, started again at once on another port; found by mDNS"
        case .killPhone: "kill -9 of the phone, started again at once"
        case .carrier: "the cable out of both hosts until the phone has given the connection up, then in again"
        case .restart: "the head unit ended in order and started again on its port"
        case .cut: "both ways silent for a while, on a screen that keeps changing"
        case .publish: "a head unit starts, on a new port, while a phone waits for it; found by mDNS"
        }
    }

    /// The zero of `first_frame_ms`.
    var linkBack: String {
        switch self {
        case .goodbye, .reset: "the phone has seen the old connection end"
        case .blackhole, .cut: "packets pass again"
        case .carrier: "both cables are in"
        case .killHeadUnit, .restart, .publish: "the new head unit listens"
        case .killPhone: "the new phone process begins to connect"
        }
    }

    /// The head unit's process is a new one after it, on another port.
    var changesPort: Bool { self == .killHeadUnit || self == .publish }
    /// The kernel's view of an interface can be changed only where the interface is the measurement's own.
    var needsLab: Bool { self == .carrier }
}

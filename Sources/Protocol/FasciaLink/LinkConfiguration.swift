import FasciaFraming
import FasciaWire

/// What one connection is for, and what this end allows.
public struct LinkConfiguration: Sendable {
    /// Which end this is. The phone says Hello first.
    public enum Role: Sendable {
        /// Empty `versions`, `limits`, `liveness` and `channels` of the Hello are filled in. In pairing mode the Hello is not sent.
        case phone(Hello)
        case headUnit
    }

    /// What the connection is for: ALPN `fascia/1` or `fascia-pair/1`.
    public enum Mode: Hashable, Sendable {
        case session
        case pairing
    }

    public var role: Role
    public var mode: Mode
    /// What this end can receive; 0 means the default of the protocol.
    public var limits: Limits
    /// Proposed (phone) or offered (head unit) timing; 0 means the default.
    public var liveness: Liveness
    /// Versions this end speaks.
    public var versions: ClosedRange<UInt32> = LinkConstants.versions
    /// Head unit: the channels it may open. What a phone sends on others behind its Hello is dropped at once and not kept until Welcome.
    public var channels: @Sendable (ChannelID) -> Bool = { _ in true }
    /// When set, unknown frames, messages, capabilities and channels are sent now and then, chosen by this seed.
    public var greaseSeed: UInt64?
    /// Most bytes waiting to be sent on a channel; `send` refuses more.
    public var sendQueueLimit: @Sendable (ChannelKind) -> Int = { kind in
        switch kind {
        case .audioOut, .audioIn: 65_536
        case .control, .input, .vehicle, .ownership: 262_144
        case .semantics: 4_194_304
        case .display: 67_108_864
        }
    }

    public init(role: Role, mode: Mode = .session, limits: Limits = Limits(), liveness: Liveness = Liveness(), greaseSeed: UInt64? = nil) {
        self.role = role
        self.mode = mode
        self.limits = limits
        self.liveness = liveness
        self.greaseSeed = greaseSeed
    }

    /// Which end this is.
    public var end: LinkEnd {
        if case .phone = role { .phone } else { .headUnit }
    }
}

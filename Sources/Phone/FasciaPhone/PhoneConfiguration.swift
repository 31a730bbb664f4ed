import FasciaAppHost
import FasciaAppLink
import FasciaCarrier
import FasciaTLS

/// What `fascia-phone run` was asked to do.
public struct PhoneConfiguration: Sendable {
    /// Which car to connect to.
    public enum Car: Sendable, Equatable {
        /// A car by the name it announces; found by mDNS, its last address tried at the same time.
        case named(String)
        /// A fixed address, no discovery.
        case address(CarrierAddress)
    }

    public var car: Car
    /// This phone's name, shown by the head unit.
    public var name: String
    /// Gives the pairing code when one is needed; nil when nobody can be asked.
    public var pairingCode: (@Sendable () async -> String?)?
    public var apps: [AppBundle]
    /// How long apps may take for what.
    public var budgets: AppHostBudgets
    /// For measurements: the clock in the status bar counts milliseconds and moves this often. Nil: the time of day.
    public var clockTick: Duration?
    /// For measurements: how much of TLS handshakes tickets may save.
    public var tickets = TicketCache.Use.earlyData
    /// Sound travels as Opus where the car takes it, else as it comes from apps.
    public var prefersOpus = false
    /// Descriptor with `charging` and `discharging` lines; nil when nobody tells.
    public var powerHint: Int32?

    public init(
        car: Car, name: String, pairingCode: (@Sendable () async -> String?)? = nil, apps: [AppBundle], budgets: AppHostBudgets = AppHostBudgets()
    ) {
        self.car = car
        self.name = name
        self.pairingCode = pairingCode
        self.apps = apps
        self.budgets = budgets
    }
}

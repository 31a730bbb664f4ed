import FasciaLink
import FasciaSession

/// A TCP connection with a link machine at each end: segments that are lost are sent again, later ones wait behind them.
final class SimulatedConnection {
    enum End: Int { case phone, car
        var other: End { self == .phone ? .car : .phone }
    }

    /// How a connection breaks.
    enum Break: CaseIterable {
        /// Both ends learn it at once.
        case reset
        /// Nothing passes any more; nobody is told.
        case silence
        /// The bytes of one direction vanish.
        case oneWay
    }

    /// What belongs to one end.
    struct Half {
        var machine: LinkMachine
        /// The process still has the socket.
        var isOpen = true
        /// Written and not arrived.
        var outbox: [UInt8] = []
        var isSending = false
        var finishes = false
        var wakesAt: UInt64 = .max
        var isUp = false
        var wasHeard = false
    }

    let phoneLink: LinkID
    let carLink: LinkID
    var phone: Half
    var car: Half
    /// Breaks when so many more bytes have gone from that end.
    var breaksAfter: (from: End, bytes: Int, how: Break)?
    var silentFrom: Set<End> = []
    /// The car has something of it on the screen.
    var hasPicture = false
    /// By which it was resumed.
    var token: [UInt8]?

    init(phoneLink: LinkID, carLink: LinkID, phone: LinkMachine, car: LinkMachine) {
        (self.phoneLink, self.carLink, self.phone, self.car) = (phoneLink, carLink, Half(machine: phone), Half(machine: car))
    }

    subscript(end: End) -> Half {
        get { end == .phone ? phone : car }
        _modify { if end == .phone { yield &phone } else { yield &car } }
    }
}

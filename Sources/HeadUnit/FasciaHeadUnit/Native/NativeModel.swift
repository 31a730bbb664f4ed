/// Everything the car's own screens show.
struct NativeModel: Equatable {
    enum Phase: Equatable {
        /// No phone. `known`: the phone that may come back by itself.
        case waiting(known: String?)
        /// A phone is there and has not drawn yet.
        case connecting(phone: String)
    }

    /// Shown for a while in place of the card's title.
    struct Notice: Equatable {
        enum Kind: Equatable { case good, bad, plain }
        var kind: Kind
        var title: String
        var detail: String
        /// The code is of no use now.
        var hidesCode = false
    }

    var carName: String
    /// As people read it, "9:41".
    var clock = ""
    var date = ""
    var night = false
    var driverOnRight = false
    var phase = Phase.waiting(known: nil)
    /// Six digits, nil while no phone may be paired.
    var pairingCode: String?
    var notice: Notice?
    /// Nil while it is off.
    var radio: Radio?
    /// Over whatever is on the screen.
    var call: Call?
    /// Over whatever is on the screen.
    var sound = SoundOverlay()
}

extension NativeModel {
    /// The car's radio, as home shows it.
    struct Radio: Equatable {
        /// It waits while somebody else has main audio.
        var isHeard: Bool
        /// It has just begun to play.
        var isNews = false
        var station: String { CarFunctions.station }
        var detail: String { isHeard ? CarFunctions.frequency : "Paused" }
    }

    /// The car's own call.
    struct Call: Equatable {
        var isRinging: Bool
        var caller: String { CarFunctions.caller }
        /// "Incoming call", or how long it has gone on.
        var detail: String

        init(_ call: CarFunctions.Call, now: UInt64) {
            switch call {
            case .ringing: (isRinging, detail) = (true, "Incoming call")
            case .talking(let since):
                let seconds = (now - min(now, since)) / 1_000_000_000
                let rest = seconds % 60
                (isRinging, detail) = (false, "\(seconds / 60):\(rest < 10 ? "0" : "")\(rest)")
            }
        }
    }
}

extension NativeModel {
    /// The card's picture and words.
    struct Card: Equatable {
        enum Symbol: Equatable { case icon(String, Tone), spinner }
        enum Tone: Equatable { case accent, good, bad }
        var symbol: Symbol
        var title: String
        var detail: String
    }

    var card: Card {
        if let notice {
            let symbol: Card.Symbol =
                switch notice.kind {
                case .good: .icon("check_circle", .good)
                case .bad: .icon("error", .bad)
                case .plain: .icon("info", .accent)
                }
            return Card(symbol: symbol, title: notice.title, detail: notice.detail)
        }
        switch phase {
        case .connecting(let phone): return Card(symbol: .spinner, title: "Connecting", detail: phone)
        case .waiting(let known):
            let pairing = pairingCode == nil ? "" : known == nil ? "On your phone, choose “\(carName)” and enter this code." : " To pair another, enter this code on it."
            return Card(symbol: .icon("smartphone", .accent), title: "Waiting for phone", detail: (known.map { "\($0) connects by itself." } ?? "") + pairing)
        }
    }
}

import FasciaWire

/// What the car uses screen and sound for itself.
struct CarFunctions: Equatable {
    enum Call: Equatable {
        /// Somebody calls.
        case ringing
        /// - Parameter since: nanoseconds of the monotonic clock.
        case talking(since: UInt64)
    }

    /// Switched on. It sounds when nobody else has main audio.
    var radio = false
    var call: Call?
    var reverse = false

    /// What the driver sees of the radio and of the call.
    static let station = "Fascia Radio"
    static let frequency = "98.4 FM"
    static let caller = "Dora’s Garage"
}

/// What the car's sound has to know of ownership.
package struct CarSoundState: Equatable, Sendable {
    package enum Call: Equatable, Sendable { case ringing, talking }

    /// The routes media, telephony and assistant of the phone are heard (spec/ownership.md, O-22).
    package var phoneMayPlayMain = true
    /// The radio is heard.
    package var radio = false
    /// The car's own call is heard, in place of the radio.
    package var call: Call?

    package init(phoneMayPlayMain: Bool = true, radio: Bool = false, call: Call? = nil) {
        (self.phoneMayPlayMain, self.radio, self.call) = (phoneMayPlayMain, radio, call)
    }
}

/// What the console asks of the car's call.
public enum CarCallStep: String, Sendable, CaseIterable {
    case ring
    case start
    case end
}

extension CarSoundState {
    /// - Parameter governed: the phone has the ownership channel; another one plays unless the car does.
    init(_ functions: CarFunctions, mainAudio: Holding, governed: Bool) {
        phoneMayPlayMain = mainAudio.holder == .phone || (!governed && mainAudio.holder != .car)
        call = functions.call.map { $0 == .ringing ? .ringing : .talking }
        radio = functions.radio && functions.call == nil && mainAudio.holder == .car
    }
}

import FasciaWire

/// Whose a finger on the screen is, from where it came down to where it is lifted: the phone's, or a button's of the car.
struct ContactRouting: Equatable {
    enum Destination: Equatable {
        case phone
        case nobody
        /// A button of the car was touched and let go.
        case pressed(CarTarget)
    }

    private enum State: Equatable {
        case up
        case phone(x: Double, y: Double)
        case car(CarTarget)
        /// It was the phone's when the car got the screen.
        case stray
    }

    private var state = State.up

    /// - Parameters:
    ///   - target: what of the car's lies there.
    ///   - isCars: the whole screen is the car's.
    mutating func route(_ phase: TouchEvent.Phase, x: Double, y: Double, target: CarTarget?, isCars: Bool) -> Destination {
        switch (phase, state) {
        case (.began, _):
            if let target { state = .car(target) } else { state = isCars ? .stray : .phone(x: x, y: y) }
            return target == nil && !isCars ? .phone : .nobody
        case (.moved, .phone):
            state = .phone(x: x, y: y)
            return .phone
        case (.moved, .up), (.moved, .car), (.moved, .stray): return .nobody
        case (_, .phone):
            state = .up
            return .phone
        case (_, .car(let begun)):
            state = .up
            return phase == .ended && begun == target ? .pressed(begun) : .nobody
        case (_, .stray), (_, .up):
            state = .up
            return .nobody
        }
    }

    /// - Returns: where the phone's finger was, if there is one; it is told that it is cancelled.
    mutating func screenLost() -> (x: Double, y: Double)? {
        guard case .phone(let x, let y) = state else { return nil }
        state = .stray
        return (x, y)
    }
}

/// What of the car's own lies over the phone's picture and takes touches.
enum CarTarget: String, Equatable {
    /// Touched by mistake: not the phone's, and nothing of the car's.
    case ground
    case answerCall = "call.answer"
    case endCall = "call.end"
}

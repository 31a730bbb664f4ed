public enum CPManeuverState: Int, Sendable { case `continue`, initial, prepare, execute }

/// A trip being driven.
@preconcurrency @MainActor
open class CPNavigationSession: NSObject {
    public enum PauseReason: UInt, Sendable { case arrived = 1, loading = 2, locating = 3, rerouting = 4, proceedToRoute = 5 }

    public let trip: CPTrip
    open var upcomingManeuvers: [CPManeuver] = []
    open var currentLaneGuidance: CPLaneGuidance?
    open var currentRoadNameVariants: [String] = []
    open var maneuverState = CPManeuverState.continue

    init(trip: CPTrip) {
        self.trip = trip
        super.init()
    }

    open func add(_ maneuvers: [CPManeuver]) {}
    open func add(_ laneGuidances: [CPLaneGuidance]) {}
    open func updateEstimates(_ estimates: CPTravelEstimates, for maneuver: CPManeuver) {}
    open func pauseTrip(for reason: PauseReason, description: String?) {}
    open func pauseTrip(for reason: PauseReason, description: String?, turnCardColor: UIColor?) {}
    open func resumeTrip(updatedRouteInformation routeInformation: CPRouteInformation) {}
    open func finishTrip() {}
    open func cancelTrip() {}
}

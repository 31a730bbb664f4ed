/// A way from one place to another, with choices of route.
open class CPTrip: NSObject, _CPCoding {
    public let origin: MKMapItem
    public let destination: MKMapItem
    public let routeChoices: [CPRouteChoice]
    open var destinationNameVariants: [String]?
    open var userInfo: Any?

    public init(origin: MKMapItem, destination: MKMapItem, routeChoices: [CPRouteChoice]) {
        self.origin = origin
        self.destination = destination
        self.routeChoices = routeChoices
        super.init()
    }

    public required convenience init?(coder: NSCoder) { return nil }
}

open class CPRouteChoice: NSObject, NSCopying, _CPCoding {
    public let summaryVariants: [String]
    public let additionalInformationVariants: [String]?
    public let selectionSummaryVariants: [String]?
    open var userInfo: Any?

    public init(summaryVariants: [String], additionalInformationVariants: [String], selectionSummaryVariants: [String]) {
        self.summaryVariants = summaryVariants
        self.additionalInformationVariants = additionalInformationVariants
        self.selectionSummaryVariants = selectionSummaryVariants
        super.init()
    }

    public required convenience init?(coder: NSCoder) { return nil }

    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = CPRouteChoice(
            summaryVariants: summaryVariants, additionalInformationVariants: additionalInformationVariants ?? [],
            selectionSummaryVariants: selectionSummaryVariants ?? [])
        copy.userInfo = userInfo
        return copy
    }
}

open class CPRouteInformation: NSObject {
    public let maneuvers: [CPManeuver]
    public let laneGuidances: [CPLaneGuidance]
    public let currentManeuvers: [CPManeuver]
    public let currentLaneGuidance: CPLaneGuidance
    public let tripTravelEstimates: CPTravelEstimates
    public let maneuverTravelEstimates: CPTravelEstimates

    public init(
        maneuvers: [CPManeuver], laneGuidances: [CPLaneGuidance], currentManeuvers: [CPManeuver], currentLaneGuidance: CPLaneGuidance,
        tripTravelEstimates: CPTravelEstimates, maneuverTravelEstimates: CPTravelEstimates
    ) {
        self.maneuvers = maneuvers
        self.laneGuidances = laneGuidances
        self.currentManeuvers = currentManeuvers
        self.currentLaneGuidance = currentLaneGuidance
        self.tripTravelEstimates = tripTravelEstimates
        self.maneuverTravelEstimates = maneuverTravelEstimates
        super.init()
    }

    public convenience init(
        maneuvers: [CPManeuver], laneGuidances: [CPLaneGuidance], currentManeuvers: [CPManeuver], currentLaneGuidance: CPLaneGuidance,
        trip tripTravelEstimates: CPTravelEstimates, maneuverTravelEstimates: CPTravelEstimates
    ) {
        self.init(
            maneuvers: maneuvers, laneGuidances: laneGuidances, currentManeuvers: currentManeuvers, currentLaneGuidance: currentLaneGuidance,
            tripTravelEstimates: tripTravelEstimates, maneuverTravelEstimates: maneuverTravelEstimates)
    }
}

open class CPTravelEstimates: NSObject, _CPCoding {
    public let distanceRemaining: Measurement<UnitLength>
    public let distanceRemainingToDisplay: Measurement<UnitLength>
    /// Seconds.
    public let timeRemaining: TimeInterval

    public init(distanceRemaining: Measurement<UnitLength>, distanceRemainingToDisplay: Measurement<UnitLength>, timeRemaining: TimeInterval) {
        self.distanceRemaining = distanceRemaining
        self.distanceRemainingToDisplay = distanceRemainingToDisplay
        self.timeRemaining = timeRemaining
        super.init()
    }

    public convenience init(distanceRemaining: Measurement<UnitLength>, timeRemaining: TimeInterval) {
        self.init(distanceRemaining: distanceRemaining, distanceRemainingToDisplay: distanceRemaining, timeRemaining: timeRemaining)
    }

    public required convenience init?(coder: NSCoder) { return nil }
}

open class CPTripPreviewTextConfiguration: NSObject, _CPCoding {
    public let startButtonTitle: String?
    public let additionalRoutesButtonTitle: String?
    public let overviewButtonTitle: String?

    public init(startButtonTitle: String?, additionalRoutesButtonTitle: String?, overviewButtonTitle: String?) {
        self.startButtonTitle = startButtonTitle
        self.additionalRoutesButtonTitle = additionalRoutesButtonTitle
        self.overviewButtonTitle = overviewButtonTitle
        super.init()
    }

    public required convenience init?(coder: NSCoder) { return nil }
}

public enum CPTrafficSide: UInt, Sendable { case right, left }
public enum CPJunctionType: UInt, Sendable { case intersection, roundabout }

public struct CPManeuverDisplayStyle: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    // Apple's values, which are not bits.
    public static let leadingSymbol = CPManeuverDisplayStyle(rawValue: 1)
    public static let trailingSymbol = CPManeuverDisplayStyle(rawValue: 2)
    public static let symbolOnly = CPManeuverDisplayStyle(rawValue: 3)
    public static let instructionOnly = CPManeuverDisplayStyle(rawValue: 4)
}

/// One step of a route.
open class CPManeuver: NSObject, NSCopying, _CPCoding {
    open var symbolSet: CPImageSet?
    open var symbolImage: UIImage?
    open var cardBackgroundColor: UIColor?
    open var junctionImage: UIImage?
    open var instructionVariants: [String] = []
    open var attributedInstructionVariants: [NSAttributedString] = []
    open var initialTravelEstimates: CPTravelEstimates?
    open var dashboardSymbolImage: UIImage?
    open var dashboardJunctionImage: UIImage?
    open var dashboardInstructionVariants: [String] = []
    open var dashboardAttributedInstructionVariants: [NSAttributedString] = []
    open var notificationSymbolImage: UIImage?
    open var notificationInstructionVariants: [String] = []
    open var notificationAttributedInstructionVariants: [NSAttributedString] = []
    open var maneuverType = CPManeuverType.noTurn
    open var roadFollowingManeuverVariants: [String]?
    open var trafficSide = CPTrafficSide.right
    open var junctionType = CPJunctionType.intersection
    open var junctionExitAngle: Measurement<UnitAngle>?
    open var junctionElementAngles: Set<Measurement<UnitAngle>>?
    /// Apple's does not keep it alive; this one does.
    open var linkedLaneGuidance = CPLaneGuidance()
    open var highwayExitLabel = ""
    open var userInfo: Any?

    public override init() { super.init() }

    public required convenience init?(coder: NSCoder) { return nil }

    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = CPManeuver()
        copy.symbolSet = symbolSet
        copy.symbolImage = symbolImage
        copy.cardBackgroundColor = cardBackgroundColor
        copy.junctionImage = junctionImage
        copy.instructionVariants = instructionVariants
        copy.attributedInstructionVariants = attributedInstructionVariants
        copy.initialTravelEstimates = initialTravelEstimates
        copy.dashboardSymbolImage = dashboardSymbolImage
        copy.dashboardJunctionImage = dashboardJunctionImage
        copy.dashboardInstructionVariants = dashboardInstructionVariants
        copy.dashboardAttributedInstructionVariants = dashboardAttributedInstructionVariants
        copy.notificationSymbolImage = notificationSymbolImage
        copy.notificationInstructionVariants = notificationInstructionVariants
        copy.notificationAttributedInstructionVariants = notificationAttributedInstructionVariants
        copy.maneuverType = maneuverType
        copy.roadFollowingManeuverVariants = roadFollowingManeuverVariants
        copy.trafficSide = trafficSide
        copy.junctionType = junctionType
        copy.junctionExitAngle = junctionExitAngle
        copy.junctionElementAngles = junctionElementAngles
        copy.linkedLaneGuidance = linkedLaneGuidance
        copy.highwayExitLabel = highwayExitLabel
        copy.userInfo = userInfo
        return copy
    }
}

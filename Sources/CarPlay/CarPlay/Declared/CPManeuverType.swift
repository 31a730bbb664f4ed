/// Kinds of maneuvers, for cars that show them in the instrument cluster.
public enum CPManeuverType: UInt, Sendable {
    case noTurn, leftTurn, rightTurn, straightAhead, uTurn, followRoad, enterRoundabout, exitRoundabout, offRamp, onRamp, arriveEndOfNavigation
    case startRoute, arriveAtDestination, keepLeft, keepRight, enter_Ferry, exitFerry, changeFerry, startRouteWithUTurn, uTurnAtRoundabout
    case leftTurnAtEnd, rightTurnAtEnd, highwayOffRampLeft, highwayOffRampRight, arriveAtDestinationLeft, arriveAtDestinationRight
    case uTurnWhenPossible, arriveEndOfDirections, roundaboutExit1, roundaboutExit2, roundaboutExit3, roundaboutExit4, roundaboutExit5
    case roundaboutExit6, roundaboutExit7, roundaboutExit8, roundaboutExit9, roundaboutExit10, roundaboutExit11, roundaboutExit12
    case roundaboutExit13, roundaboutExit14, roundaboutExit15, roundaboutExit16, roundaboutExit17, roundaboutExit18, roundaboutExit19
    case sharpLeftTurn, sharpRightTurn, slightLeftTurn, slightRightTurn, changeHighway, changeHighwayLeft, changeHighwayRight
}

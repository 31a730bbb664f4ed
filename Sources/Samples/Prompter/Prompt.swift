import Foundation

/// What a driver is told at a turn.
struct Prompt {
    let text: String
    let road: String
    let symbolName: String

    static let route = [
        Prompt(text: "In three hundred metres, turn left into Mill Road.", road: "Mill Road · 300 m", symbolName: "arrow.turn.up.left"),
        Prompt(text: "Turn left.", road: "Now", symbolName: "arrow.turn.up.left"),
        Prompt(text: "At the roundabout, take the second exit towards Harbour Street.", road: "Harbour Street · 2nd exit", symbolName: "arrow.clockwise"),
        Prompt(text: "Keep right, then merge onto the ring road.", road: "Ring road · 800 m", symbolName: "arrow.merge"),
        Prompt(text: "In one kilometre, turn right into Station Street.", road: "Station Street · 1 km", symbolName: "arrow.turn.up.right"),
        Prompt(text: "Make a U-turn when it is safe.", road: "When possible", symbolName: "arrow.uturn.left"),
        Prompt(text: "You have arrived.", road: "Destination", symbolName: "flag"),
    ]
}

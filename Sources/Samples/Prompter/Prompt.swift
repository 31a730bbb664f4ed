import Foundation

/// What a driver is told at a turn.
struct Prompt {
    /// As it is spoken.
    let text: String
    /// As it is shown, for those who only glance.
    let title: String
    let road: String
    let symbolName: String

    static let route = [
        Prompt(text: "In three hundred metres, turn left into Mill Road.", title: "Turn Left", road: "Mill Road · 300 m", symbolName: "arrow.turn.up.left"),
        Prompt(text: "Turn left.", title: "Left Now", road: "Mill Road", symbolName: "arrow.turn.up.left"),
        Prompt(text: "At the roundabout, take the second exit towards Harbour Street.", title: "Roundabout", road: "Harbour Street · 2nd exit", symbolName: "arrow.clockwise"),
        Prompt(text: "Keep right, then merge onto the ring road.", title: "Keep Right and Merge", road: "Ring road · 800 m", symbolName: "arrow.merge"),
        Prompt(text: "In one kilometre, turn right into Station Street.", title: "Turn Right", road: "Station Street · 1 km", symbolName: "arrow.turn.up.right"),
        Prompt(text: "Make a U-turn when it is safe.", title: "U-Turn", road: "When possible", symbolName: "arrow.uturn.left"),
        Prompt(text: "You have arrived.", title: "Arrived", road: "Station Street 12", symbolName: "flag"),
    ]
}

/// What goes wrong in a cycle. The first group breaks the connection there is, the second the next ones while they are made, the third
/// the network, the fourth processes, the fifth pairing, the sixth apps.
enum FaultKind: String, CaseIterable, Codable {
    case reset, finish, halfClose = "half-close", corrupt, stall
    case midHandshake = "mid-handshake", midCommit = "mid-commit", launch = "during-launch"
    case gap, blackhole, refuse, roam, cable, redirect
    case killHeadUnit = "kill-headunit", endHeadUnit = "end-headunit", freezeHeadUnit = "freeze-headunit"
    case killPhone = "kill-phone", endPhone = "end-phone", freezePhone = "freeze-phone", killBoth = "kill-both"
    case forget, midPairing = "mid-pairing"
    case killApp = "kill-app", freezeApp = "freeze-app", tapTrouble = "handler-trouble", connectTrouble = "didConnect-trouble",
         disconnectTrouble = "didDisconnect-trouble", launchTrouble = "launch-trouble"

    /// Of 1,000.
    var weight: Int {
        switch self {
        case .reset, .midHandshake, .midCommit: 75
        case .finish, .halfClose, .corrupt, .stall, .gap: 40
        case .blackhole, .refuse, .roam, .cable: 30
        case .launch: 50
        case .redirect, .killHeadUnit, .killPhone: 35
        case .endHeadUnit, .endPhone: 25
        case .freezeHeadUnit, .freezePhone, .killBoth: 25
        case .forget, .midPairing: 20
        case .killApp, .freezeApp: 30
        case .tapTrouble, .connectTrouble, .disconnectTrouble: 35
        case .launchTrouble: 20
        }
    }

    /// Ends a program of ours, so that how long programs live depends on it.
    var endsProgram: Bool {
        switch self {
        case .redirect, .killHeadUnit, .endHeadUnit, .killPhone, .endPhone, .killBoth, .forget, .midPairing: true
        default: false
        }
    }

    /// Needs the app that can be ordered about.
    var needsChaosApp: Bool {
        switch self {
        case .tapTrouble, .connectTrouble, .disconnectTrouble, .launchTrouble: true
        default: false
        }
    }
}

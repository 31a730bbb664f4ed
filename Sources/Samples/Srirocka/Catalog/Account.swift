import Foundation

extension Notification.Name {
    static let accountDidChange = Notification.Name("AccountDidChange")
}

/// Who listens, and whether the network is there. Everything downloaded plays either way.
///
/// For trying out: `-SignedOut YES`, `-Offline YES` as launch arguments or in the user defaults, or SRIROCKA=signedout,offline,failing in
/// the environment.
final class Account {
    static let shared = Account()

    private(set) var isSignedIn: Bool
    private(set) var isOffline: Bool
    /// The service's answers fail until the listener tries again.
    private(set) var serviceFails: Bool

    private init() {
        let words = (ProcessInfo.processInfo.environment["SRIROCKA"] ?? "").lowercased().split(separator: ",").map(String.init)
        let defaults = UserDefaults.standard
        isSignedIn = !(defaults.bool(forKey: "SignedOut") || words.contains("signedout"))
        isOffline = defaults.bool(forKey: "Offline") || words.contains("offline")
        serviceFails = defaults.bool(forKey: "Failing") || words.contains("failing")
    }

    func setSignedIn(_ signedIn: Bool) {
        isSignedIn = signedIn
        changed()
    }

    func setOffline(_ offline: Bool) {
        isOffline = offline
        changed()
    }

    func serviceAnswered() { serviceFails = false }

    /// What is streamed needs an account and a network.
    func canPlay(_ track: Track) -> Bool { track.isDownloaded || (isSignedIn && !isOffline) }

    private func changed() {
        NotificationCenter.default.post(name: .accountDidChange, object: self)
    }
}

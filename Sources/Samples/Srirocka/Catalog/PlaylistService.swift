import Foundation

enum PlaylistError: Error {
    case signedOut
    case offline
    case noAnswer
}

/// The playlists of the service, which takes its time.
final class PlaylistService {
    static let shared = PlaylistService()

    /// Kept on the phone: there at once, whatever the network does.
    let downloaded = Playlist(
        title: "Downloaded", detail: "On this phone", artworkName: "Downloaded",
        trackIDs: ["Slow Lanterns", "Paper Boats", "Tin Roof Waltz", "Neon Orchard", "Ferry at Six", "Rain on a Skylight"], isDownloaded: true)

    private let remote = [
        Playlist(title: "Morning Commute", detail: "Gentle, then less so", artworkName: "Commute", trackIDs: ["Cold Coffee", "Paper Boats", "Neon Orchard"]),
        Playlist(title: "Long Way Round", detail: "For roads with bends", artworkName: "Bends", trackIDs: ["Ferry at Six", "Last Tram Home", "Slow Lanterns", "Tin Roof Waltz"]),
        Playlist(title: "Windows Down", detail: "What the weather plays", artworkName: "Windows", trackIDs: ["Rain on a Skylight", "Surf at Night", "Village Bells"]),
    ]

    /// Answers on the main queue, after a while.
    func load(completion: @escaping (Result<[Playlist], PlaylistError>) -> Void) {
        let account = Account.shared
        if !account.isSignedIn { return completion(.failure(.signedOut)) }
        if account.isOffline { return completion(.failure(.offline)) }
        DispatchQueue.main.asyncAfter(deadline: .now() + 1.8) { [remote] in
            if account.isOffline { return completion(.failure(.offline)) }
            if account.serviceFails {
                account.serviceAnswered()
                return completion(.failure(.noAnswer))
            }
            completion(.success(remote))
        }
    }

    /// The tracks of one list. "Long Way Round" is slow.
    func tracks(of playlist: Playlist, completion: @escaping ([Track]) -> Void) {
        let tracks = playlist.trackIDs.compactMap { Catalog.shared.track($0) }
        let delay = playlist.isDownloaded ? 0 : playlist.title == "Long Way Round" ? 3 : 0.6
        DispatchQueue.main.asyncAfter(deadline: .now() + delay) { completion(tracks) }
    }
}

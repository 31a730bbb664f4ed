import Foundation

/// Everything there is to hear, all of it made by this app.
final class Catalog {
    static let shared = Catalog()

    let tracks: [Track]

    private init() {
        func track(_ title: String, _ artist: String, _ album: String, _ artwork: String, _ score: Score, downloaded: Bool = true) -> Track {
            Track(id: title, title: title, artist: artist, album: album, artworkName: artwork, sound: .score(score), isDownloaded: downloaded)
        }
        func recording(_ recording: Recording) -> Track {
            Track(id: recording.title, title: recording.title, artist: "Srirocka Field Team", album: "Open Windows", artworkName: "Windows", sound: .recording(recording))
        }
        tracks = [
            track("Slow Lanterns", "Ada Fjord", "Paper Boats", "Boats", .slowLanterns),
            track("Paper Boats", "Ada Fjord", "Paper Boats", "Boats", .paperBoats),
            track("Tin Roof Waltz", "The Corner Quartet", "Tin Roof", "Roof", .tinRoofWaltz),
            track("Last Tram Home", "The Corner Quartet", "Tin Roof", "Roof", .lastTramHome, downloaded: false),
            track("Neon Orchard", "Kilo Hertz", "Neon Orchard", "Orchard", .neonOrchard),
            track("Ferry at Six", "Marisol Vane", "Ferry at Six", "Ferry", .ferryAtSix),
            track("Cold Coffee", "Marisol Vane", "Ferry at Six", "Ferry", .coldCoffee, downloaded: false),
            recording(.rain), recording(.surf), recording(.bells),
        ]
    }

    func track(_ id: String) -> Track? { tracks.first { $0.id == id } }

    /// In the order of their first track.
    var albums: [Album] {
        var titles: [String] = []
        for track in tracks where !titles.contains(track.album) { titles.append(track.album) }
        return titles.compactMap { title in
            let tracks = self.tracks.filter { $0.album == title }
            guard let first = tracks.first else { return nil }
            return Album(title: title, artist: first.artist, artworkName: first.artworkName, tracks: tracks)
        }
    }

    func tracks(by artist: String) -> [Track] { tracks.filter { $0.artist == artist } }
}

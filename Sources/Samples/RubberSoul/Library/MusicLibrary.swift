import Foundation

/// What there is to listen to.
final class MusicLibrary {
    static let shared = MusicLibrary()

    let songs: [Song] = [
        Song(id: 1, title: "Harbour Lights", artist: "Maren Oak", album: "Harbour Lights", artworkName: "Harbour", duration: 214),
        Song(id: 2, title: "夜の高速道路", artist: "東京シグナル", album: "都市の灯", artworkName: "Highway", duration: 251),
        Song(id: 3, title: "Тихая река", artist: "Северный ветер", album: "Тихая река", artworkName: "River", duration: 198),
        Song(id: 4, title: "Paper Planets", artist: "The Orbit Club", album: "Paper Planets", artworkName: "Planets", duration: 187, isDownloaded: false),
        Song(id: 5, title: "Midnight Post", artist: "Anna Weiss", album: "Letters", artworkName: "Letters", duration: 232, hasRemoteArtwork: true),
        Song(id: 6, title: "春天的列车", artist: "林小雨", album: "春天的列车", artworkName: "Train", duration: 205),
        Song(id: 7, title: "Glass Gardens", artist: "Inés Valdez", album: "Glass Gardens", artworkName: "Glass", duration: 243),
        Song(id: 8, title: "Static & Smoke", artist: "Low Tide", album: "Slow Static", artworkName: "Static", duration: 176, isExplicit: true),
        Song(id: 9, title: "Copper Sun", artist: "Desert Radio", album: "Copper Sun", artworkName: "Copper", duration: 228),
        Song(id: 10, title: "Letters Home", artist: "Anna Weiss", album: "Letters", artworkName: "Letters", duration: 219),
        Song(id: 11, title: "Breakwater", artist: "Maren Oak", album: "Harbour Lights", artworkName: "Harbour", duration: 240),
    ]

    /// Albums in the order of their first song.
    var albums: [Album] {
        var titles: [String] = []
        for song in songs where !titles.contains(song.album) {
            titles.append(song.album)
        }
        return titles.compactMap { title in
            let songs = self.songs.filter { $0.album == title }
            guard let first = songs.first else { return nil }
            return Album(title: title, artist: first.artist, artworkName: first.artworkName, songs: songs)
        }
    }

    func songs(by artist: String) -> [Song] {
        songs.filter { $0.artist == artist }
    }

    func songs(for mood: Mood) -> [Song] {
        guard mood != .surprise, let position = Mood.allCases.firstIndex(of: mood) else { return songs.shuffled() }
        return songs.filter { $0.id % 4 == position % 4 }
    }

    /// Fetches a song's audio. Takes a moment, as a network would.
    func download(_ song: Song, completion: @escaping () -> Void) {
        DispatchQueue.main.asyncAfter(deadline: .now() + 1.5, execute: completion)
    }
}

import Foundation

struct Track: Equatable {
    enum Sound: Equatable {
        /// Played note by note as it goes.
        case score(Score)
        /// Kept in a file.
        case recording(Recording)
    }

    let id: String
    let title: String
    let artist: String
    let album: String
    /// Name of the cover in the app's resources.
    let artworkName: String
    let sound: Sound
    var isDownloaded = true

    var duration: TimeInterval {
        switch sound {
        case .score(let score): return score.duration
        case .recording(let recording): return recording.duration
        }
    }

    static func == (lhs: Track, rhs: Track) -> Bool { lhs.id == rhs.id }
}

struct Album {
    let title: String
    let artist: String
    let artworkName: String
    let tracks: [Track]
}

struct Playlist {
    let title: String
    let detail: String
    let artworkName: String
    let trackIDs: [String]
    var isDownloaded = false
}

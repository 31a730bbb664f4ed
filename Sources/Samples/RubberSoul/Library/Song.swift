import Foundation

struct Song: Equatable {
    let id: Int
    let title: String
    let artist: String
    let album: String
    /// Name of the cover in the app's resources.
    let artworkName: String
    let duration: TimeInterval
    var isExplicit = false
    /// In the cloud: has to be fetched before it plays.
    var isDownloaded = true
    /// The cover is not on the phone yet.
    var hasRemoteArtwork = false
}

struct Album: Equatable {
    let title: String
    let artist: String
    let artworkName: String
    let songs: [Song]
}

enum Mood: String, CaseIterable {
    case morning = "Morning"
    case focus = "Focus"
    case openRoad = "Open Road"
    case rain = "Rainy Day"
    case night = "Night Drive"
    case dance = "Dance"
    case calm = "Calm"
    case surprise = "Surprise Me"

    var symbolName: String {
        switch self {
        case .morning: return "sun.max.fill"
        case .focus: return "headphones"
        case .openRoad: return "car.fill"
        case .rain: return "cloud.rain.fill"
        case .night: return "moon.fill"
        case .dance: return "music.note"
        case .calm: return "leaf.fill"
        case .surprise: return "shuffle"
        }
    }
}

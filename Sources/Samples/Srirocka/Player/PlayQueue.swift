import Foundation

enum RepeatMode: Int { case off, one, all }

/// What plays, and what comes after it.
struct PlayQueue {
    private(set) var tracks: [Track] = []
    private(set) var position = 0
    private(set) var isShuffled = false
    /// As it was before shuffling.
    private var ordered: [Track] = []
    var repeatMode = RepeatMode.off

    var current: Track? { tracks.indices.contains(position) ? tracks[position] : nil }
    var upNext: [Track] { Array(tracks.dropFirst(position + 1)) }

    mutating func replace(with tracks: [Track], startingAt track: Track) {
        ordered = tracks
        self.tracks = isShuffled ? [track] + tracks.filter { $0 != track }.shuffled() : tracks
        position = self.tracks.firstIndex(of: track) ?? 0
    }

    mutating func setShuffled(_ shuffled: Bool) {
        guard shuffled != isShuffled, let current = current else { return isShuffled = shuffled }
        isShuffled = shuffled
        tracks = shuffled ? [current] + ordered.filter { $0 != current }.shuffled() : ordered
        position = tracks.firstIndex(of: current) ?? 0
    }

    /// False: there is nothing after this one.
    mutating func advance() -> Bool {
        if position + 1 < tracks.count {
            position += 1
        } else if repeatMode == .all, !tracks.isEmpty {
            position = 0
        } else {
            return false
        }
        return true
    }

    mutating func goBack() { position = max(0, position - 1) }

    mutating func jump(to track: Track) { position = tracks.firstIndex(of: track) ?? position }
}

import UIKit

/// Covers, some of which arrive late.
final class ArtworkLoader {
    static let shared = ArtworkLoader()

    private var arrived: Set<String> = []

    /// The cover if it is here already, else the placeholder.
    func image(for song: Song) -> UIImage? {
        if song.hasRemoteArtwork && !arrived.contains(song.artworkName) {
            return placeholder
        }
        return UIImage(named: song.artworkName)
    }

    /// Calls `completion` when the cover of a song that lacks it has arrived.
    func load(for song: Song, completion: @escaping (UIImage?) -> Void) {
        guard song.hasRemoteArtwork, !arrived.contains(song.artworkName) else { return }
        DispatchQueue.main.asyncAfter(deadline: .now() + 2.5) {
            self.arrived.insert(song.artworkName)
            completion(UIImage(named: song.artworkName))
        }
    }

    private var placeholder: UIImage? {
        UIImage(named: "Placeholder")
    }
}

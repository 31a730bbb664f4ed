import FasciaPaint

/// Every text size of the phone's screens, in points. A car screen is read at arm's length in a glance: nothing below 11 pt,
/// what is chosen from is 16 pt or more.
struct Font: Hashable {
    var size: Double
    var weight: TextStyle.Weight
    var tabular = false

    /// Height of a capital letter of Inter, the share of the em that looks centred.
    static let capHeight = 0.727
    /// From one baseline to the next.
    var leading: Double { (size * 1.25).rounded() }
    /// The baseline that centres capitals about `y`.
    func baseline(centeredAt y: Double) -> Double { y + size * Self.capHeight / 2 }

    static let display = Font(size: 22, weight: .bold)
    static let title = Font(size: 18, weight: .semibold)
    static let track = Font(size: 20, weight: .semibold)
    static let artist = Font(size: 15, weight: .medium)
    /// Now Playing where there is room for it.
    static let largeTrack = Font(size: 24, weight: .semibold)
    static let largeArtist = Font(size: 17, weight: .medium)
    static let largeAlbum = Font(size: 15, weight: .regular)
    static let row = Font(size: 16, weight: .medium)
    /// A row over pictures is the head of what follows.
    static let imageRow = Font(size: 16, weight: .semibold)
    static let detail = Font(size: 13, weight: .regular)
    static let body = Font(size: 14, weight: .regular)
    static let button = Font(size: 15, weight: .semibold)
    static let barButton = Font(size: 14, weight: .semibold)
    static let header = Font(size: 13, weight: .semibold)
    static let caption = Font(size: 12, weight: .medium)
    static let largeCaption = Font(size: 14, weight: .medium)
    /// Beside its icon.
    static let wideTab = Font(size: 14, weight: .semibold)
    static let tab = Font(size: 12, weight: .semibold)
    /// For a name that does not fit otherwise.
    static let smallCaption = Font(size: 11, weight: .medium)
    static let smallTab = Font(size: 11, weight: .semibold)
    static let index = Font(size: 11, weight: .semibold)
    static let time = Font(size: 12, weight: .medium, tabular: true)
    static let clock = Font(size: 14, weight: .semibold, tabular: true)
    static let monogram = Font(size: 28, weight: .bold)
}

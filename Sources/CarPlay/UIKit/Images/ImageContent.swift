import FasciaAppRuntime
import Synchronization

/// What an image draws, shared by every `UIImage` made from it: sent to the phone once.
final class ImageContent: Sendable {
    enum Source: Sendable {
        /// A file's bytes as the app had them.
        case encoded([UInt8])
        /// An SF Symbols name, which the phone draws.
        case symbol(String)
        case empty
    }

    let source: Source
    /// Pixels; zero for symbols.
    let pixelSize: CGSize
    /// Pixels a point.
    let scale: CGFloat
    /// What is drawn instead in the dark appearance.
    let dark: ImageContent?
    let isTemplate: Bool
    /// 0xRRGGBBAA, 0 for none.
    let tint: UInt32
    let token = ReleaseToken(.image)

    init(source: Source, pixelSize: CGSize, scale: CGFloat, dark: ImageContent? = nil, isTemplate: Bool = false, tint: UInt32 = 0) {
        self.source = source
        self.pixelSize = pixelSize
        self.scale = scale
        self.dark = dark
        self.isTemplate = isTemplate
        self.tint = tint
    }

    /// Nil when `bytes` are not an image.
    static func encoded(_ bytes: [UInt8], scale: CGFloat, dark: ImageContent? = nil) -> ImageContent? {
        guard scale > 0, let size = ImageHeader.pixelSize(of: bytes) else { return nil }
        return ImageContent(source: .encoded(bytes), pixelSize: size, scale: scale, dark: dark)
    }

    func with(isTemplate: Bool, tint: UInt32) -> ImageContent {
        guard isTemplate != self.isTemplate || tint != self.tint else { return self }
        return ImageContent(
            source: source, pixelSize: pixelSize, scale: scale, dark: dark?.with(isTemplate: isTemplate, tint: tint), isTemplate: isTemplate, tint: tint)
    }
}

/// Contents by name, so that an image used twice is sent once. Images leave it when nothing in the app uses them.
final class ImageCache: Sendable {
    static let shared = ImageCache()

    private struct Entry { weak var content: ImageContent? }

    private let entries = Mutex<[String: Entry]>([:])

    func content(_ key: String, make: () -> ImageContent?) -> ImageContent? {
        if let known = entries.withLock({ $0[key]?.content }) { return known }
        guard let made = make() else { return nil }
        entries.withLock { entries in
            entries = entries.filter { $0.value.content != nil }
            entries[key] = Entry(content: made)
        }
        return made
    }
}

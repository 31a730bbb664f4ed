import FasciaAppRuntime
import Foundation

/// Finds named images in the app's resources: `Name@3x.png`, `Name@2x.png`, `Name.png` or `.jpg`, and `Name~dark…` for the dark
/// appearance. CarPlay screens have scale 2 or 3: the @2x file is taken first, then @3x, then the plain one.
enum ImageAssets {
    private static let extensions = ["png", "jpg", "jpeg", "gif"]

    static func content(named name: String, in directory: String) -> ImageContent? {
        ImageCache.shared.content("\(directory)/\(name)") { load(name, in: directory, dark: load("\(name)~dark", in: directory, dark: nil)) }
    }

    /// The image in one file; the file's name says its scale.
    static func content(ofFile path: String) -> ImageContent? {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        let stem = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
        return .encoded([UInt8](data), scale: stem.hasSuffix("@3x") ? 3 : stem.hasSuffix("@2x") ? 2 : 1)
    }

    private static func load(_ name: String, in directory: String, dark: ImageContent?) -> ImageContent? {
        let url = URL(fileURLWithPath: name)
        let hasExtension = extensions.contains(url.pathExtension.lowercased())
        let stem = hasExtension ? String(name.dropLast(url.pathExtension.count + 1)) : name
        for suffix in ["@2x", "@3x", ""] {
            for ending in hasExtension ? [url.pathExtension] : extensions {
                guard let found = content(ofFile: "\(directory)/\(stem)\(suffix).\(ending)") else { continue }
                return ImageContent(source: found.source, pixelSize: found.pixelSize, scale: found.scale, dark: dark)
            }
        }
        return nil
    }
}

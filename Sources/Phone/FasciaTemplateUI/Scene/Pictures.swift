import FasciaAppLink
import FasciaPaint
import FasciaScene

/// Apps' images at the size and in the appearance a place on the screen needs.
final class Pictures {
    enum Picture {
        case image(RasterImage)
        case mask(RasterImage, tint: Color?)
    }

    let painter: Painter
    /// Encoded bytes still to be decoded in this frame. What is over comes with the next frame, so that a page of big covers
    /// appears at once and fills up.
    private var budget = 0
    private(set) var isIncomplete = false
    var log: (String) -> Void = { _ in }
    private var homeIcons: [String: RasterImage] = [:]
    private var brokenHomeIcons: Set<String> = []

    static let bytesPerFrame = 200_000

    init(painter: Painter) { self.painter = painter }

    func beginFrame() {
        budget = Self.bytesPerFrame
        isIncomplete = false
    }

    /// Nil: no image, not decodable, or not yet.
    func picture(_ id: UInt64, of app: AppSession, dark: Bool, width: Int, height: Int, mode: ImageMode = .fill, radius: Double = 0) -> Picture? {
        guard id != 0, var image = app.images[id] else { return nil }
        if dark, image.darkImage != 0, let other = app.images[image.darkImage] { image = other }
        let tint = image.tint == 0 ? nil : Color(rgba: image.tint)
        switch image.source {
        case .systemName(let name): return .mask(painter.symbol(name, size: min(width, height)), tint: tint)
        case .encoded(let data):
            guard !app.images.broken.contains(image.id) else { return nil }
            let key = "\(app.id)/\(app.life)/\(image.id)"
            do throws(PaintError) {
                if let known = painter.cached(key: key, width: width, height: height, mode: image.template ? .fit : mode, cornerRadius: image.template ? 0 : radius, mask: image.template) {
                    return image.template ? .mask(known, tint: tint) : .image(known)
                }
                guard budget > 0 else { isIncomplete = true; return nil }
                budget -= data.count + 20_000
                let bytes = [UInt8](data)
                if image.template { return .mask(try painter.mask(encoded: bytes, key: key, width: width, height: height), tint: tint) }
                return .image(try painter.image(encoded: bytes, key: key, width: width, height: height, mode: mode, cornerRadius: radius))
            } catch {
                app.images.broken.insert(image.id)
                log("\(app.name): image \(image.id) is not shown: \(error)")
                return nil
            }
        case nil: return nil
        }
    }

    /// An application's icon, or nil for a drawn tile.
    func homeIcon(_ application: HomeApplication, size: Int) -> RasterImage? {
        let key = "\(application.id)@\(size)"
        if let known = homeIcons[key] { return known }
        guard let encoded = application.icon, !brokenHomeIcons.contains(application.id) else { return nil }
        do {
            let image = try painter.image(encoded: encoded, width: size, height: size, cornerRadius: Double(size) * Pictures.iconCorner)
            homeIcons[key] = image
            return image
        } catch {
            brokenHomeIcons.insert(application.id)
            log("\(application.name): its icon is not shown: \(error)")
            return nil
        }
    }

    func forgetHomeIcons() {
        homeIcons = [:]
        brokenHomeIcons = []
    }

    /// Corner radius of application icons, share of the side.
    static let iconCorner = 0.225
}

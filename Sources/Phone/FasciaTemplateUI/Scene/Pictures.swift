import FasciaAppLink
import FasciaPaint
import FasciaScene
import Foundation

/// Apps' images at the size and in the appearance a place on the screen needs.
final class Pictures {
    enum Picture {
        case image(RasterImage)
        case mask(RasterImage, tint: Color?)
    }

    let painter: Painter
    /// True: large pictures are left to the owner, who paints them where nobody waits (`PictureOrder`), and places stay empty until
    /// then. False: all are painted at once.
    var leavesLargeOnes = false
    private(set) var orders: [PictureOrder] = []
    private var underWay: Set<PictureKey> = []
    /// Encoded bytes still to be decoded in this frame. What is over comes with the next frame, so that a page of big covers
    /// appears at once and fills up.
    private var budget = 0
    private(set) var isIncomplete = false
    var log: (String) -> Void = { _ in }
    private var homeIcons: [String: RasterImage] = [:]
    private var brokenHomeIcons: Set<String> = []
    /// Of `homeIcons`: what was ordered before they were forgotten is for nobody.
    private var iconGeneration = 0

    static let bytesPerFrame = 200_000
    /// Pixels of a picture that is decoded in a millisecond or two: it is in the first frame of its page.
    static let quickPixels = 256 * 1_024
    /// Orders whose pictures have not come: each keeps the app's bytes. What is over is ordered when some have come.
    static let maxOrders = 8

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
            let key = PictureKey(key: "\(app.id)/\(app.life)/\(image.id)", width: width, height: height, mode: image.template ? .fit : mode,
                                 cornerRadius: image.template ? 0 : radius, mask: image.template)
            func picture(_ image: RasterImage) -> Picture { key.mask ? .mask(image, tint: tint) : .image(image) }
            if let known = painter.cached(key) { return picture(known) }
            guard !underWay.contains(key) else { return nil }
            guard budget > 0 else { isIncomplete = true; return nil }
            let bytes = [UInt8](data)
            if leavesLargeOnes, !Self.isQuick(bytes) {
                if underWay.count < Self.maxOrders {
                    underWay.insert(key)
                    orders.append(PictureOrder(key: key, owner: .image(image.id, app: app.id, life: app.life), encoded: data))
                }
                return nil
            }
            budget -= data.count + 20_000
            do throws(PaintError) {
                let painted = try key.paint(bytes)
                painter.keep(painted, for: key)
                return picture(painted)
            } catch {
                isBroken(image.id, of: app, error)
                return nil
            }
        case nil: return nil
        }
    }

    private static func isQuick(_ bytes: [UInt8]) -> Bool { Painter.size(encoded: bytes).map { $0.width * $0.height <= quickPixels } ?? false }

    private func isBroken(_ image: UInt64, of app: AppSession, _ error: PaintError) {
        app.images.broken.insert(image)
        log("\(app.name): image \(image) is not shown: \(error)")
    }

    func takeOrders() -> [PictureOrder] {
        defer { orders = [] }
        return orders
    }

    /// - Parameter app: whose it is, if that still runs.
    func painted(_ key: PictureKey, _ result: Result<RasterImage, PaintError>, _ image: UInt64, _ life: Int, of app: AppSession?) {
        underWay.remove(key)
        guard let app, app.life == life else { return }
        switch result {
        case .success(let painted): painter.keep(painted, for: key)
        case .failure(let error): isBroken(image, of: app, error)
        }
    }

    func paintedIcon(_ key: PictureKey, _ result: Result<RasterImage, PaintError>, _ app: String, _ generation: Int) {
        underWay.remove(key)
        guard generation == iconGeneration else { return }
        switch result {
        case .success(let painted): homeIcons["\(app)@\(key.width)"] = painted
        case .failure(let error): isBrokenIcon(app, error)
        }
    }

    private func isBrokenIcon(_ app: String, _ error: PaintError) {
        brokenHomeIcons.insert(app)
        log("\(app): its icon is not shown: \(error)")
    }

    /// An application's icon, or nil for a drawn tile.
    func homeIcon(_ application: HomeApplication, size: Int) -> RasterImage? {
        let key = "\(application.id)@\(size)"
        if let known = homeIcons[key] { return known }
        guard let encoded = application.icon, !brokenHomeIcons.contains(application.id) else { return nil }
        let corner = Double(size) * Pictures.iconCorner
        if leavesLargeOnes, !Self.isQuick(encoded) {
            let order = PictureKey(key: "icon/\(application.id)/\(iconGeneration)", width: size, height: size, mode: .fill, cornerRadius: corner, mask: false)
            if !underWay.contains(order), underWay.count < Self.maxOrders {
                underWay.insert(order)
                orders.append(PictureOrder(key: order, owner: .icon(app: application.id, generation: iconGeneration), encoded: Data(encoded)))
            }
            return nil
        }
        do {
            let image = try painter.image(encoded: encoded, width: size, height: size, cornerRadius: corner)
            homeIcons[key] = image
            return image
        } catch {
            isBrokenIcon(application.id, error)
            return nil
        }
    }

    func forgetHomeIcons() {
        homeIcons = [:]
        brokenHomeIcons = []
        iconGeneration += 1
    }

    /// Corner radius of application icons, share of the side.
    static let iconCorner = 0.225
}

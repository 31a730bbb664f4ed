import FasciaAppLink
import FasciaPaint
import FasciaScene

/// What a page is drawn with.
struct PageContext {
    let canvas: Canvas
    let metrics: Metrics
    /// The page's own layer; its size is `bounds`.
    let place: Canvas.Place
    let bounds: Rect
    let app: AppSession
    let state: PageState
    let pictures: Pictures
    let dark: Bool
    let limitedUI: Bool
    let now: UInt64
    /// The app of this page plays: its bars offer Now Playing.
    let offersNowPlaying: Bool

    var palette: Palette { canvas.palette }

    /// An app's image in a box; the placeholder's icon stands in for it.
    func picture(_ part: String, _ id: UInt64, _ rect: Rect, radius: Double, placeholder: Icon?, tint: Color? = nil, in place: Canvas.Place, opacity: Float = 1, symbolShare: Double = 0.6) {
        let width = canvas.whole(rect.width), height = canvas.whole(rect.height)
        if let image = app.images[id], case .systemName(let name)? = image.source {
            let side = min(rect.width, rect.height) * symbolShare
            canvas.image(part, canvas.painter.symbol(name, size: canvas.whole(side)), tint: image.tint == 0 ? tint ?? palette.text : Color(rgba: image.tint),
                         x: rect.midX - side / 2, y: rect.midY - side / 2, in: place, opacity: opacity)
            return
        }
        switch pictures.picture(id, of: app, dark: dark, width: width, height: height, radius: radius * canvas.scale) {
        case .image(let image): canvas.image(part, image, x: rect.x, y: rect.y, in: place, opacity: opacity)
        case .mask(let image, let own): canvas.image(part, image, tint: own ?? tint ?? palette.text, x: rect.x, y: rect.y, in: place, opacity: opacity)
        case nil:
            guard let placeholder else { return }
            canvas.fill(part, rect, palette.fill, in: place, z: 2, radius: radius)
            canvas.icon(part + ".icon", placeholder, min(rect.width, rect.height) * 0.5, palette.quiet, centerX: rect.midX, centerY: rect.midY, in: place, z: 3)
        }
    }

    /// An image drawn as a symbol: icons of bar buttons, tabs, accessories.
    func symbol(_ part: String, _ id: UInt64, _ size: Double, _ color: Color, centerX: Double, centerY: Double, in place: Canvas.Place) {
        let side = canvas.whole(size)
        switch pictures.picture(id, of: app, dark: dark, width: side, height: side, mode: .fit) {
        case .image(let image): canvas.image(part, image, x: centerX - size / 2, y: centerY - size / 2, in: place)
        case .mask(let image, let own): canvas.image(part, image, tint: own ?? color, x: centerX - size / 2, y: centerY - size / 2, in: place)
        case nil: break
        }
    }

    /// The first variant that fits in `lines` of `width`; else the shortest.
    func variant(_ variants: [String], _ font: Font, width: Double, lines: Int = 1) -> String {
        let offered = variants.filter { !$0.isEmpty }
        return offered.first { !canvas.label($0, font, width: width, lines: lines).truncated } ?? offered.min { $0.count < $1.count } ?? ""
    }

    /// The layer everything that scrolls is in, and the part of the content worth layers now.
    func scroller(_ rect: Rect, content: Double) -> (place: Canvas.Place, window: ClosedRange<Double>) {
        state.scroll.setExtent(content: content, viewport: rect.height)
        if canvas.isInteractive { state.viewport = rect.moved(place.x, place.y) }
        var inner = canvas.layer("scroll", rect, in: place) {
            $0.clip = true
            $0.scrollY = canvas.pixels(state.scroll.offset)
            $0.animations = state.scroll.animation(scale: canvas.scale)
        }
        inner.scrolls = true
        if state.scroll.offset > 1 { canvas.separator("scrolled", x: 0, y: rect.y - 0.5, width: bounds.width, in: place) }
        let span = state.scroll.span(at: now)
        let height = max(0, rect.height)
        return (inner, (span.lowerBound - height / 2)...(span.upperBound + height * 1.5))
    }

    func key(_ suffix: String) -> String { "\(place.key)#\(suffix)" }
}

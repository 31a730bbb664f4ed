import CPixman
import FasciaScene

/// Paints draw items into a pixmap with pixman, premultiplied source-over.
struct Canvas {
    let target: Pixmap
    let masks: CornerMasks
    /// Where the pixmap's first pixel lies on the screen.
    var originX = 0
    var originY = 0

    /// Longest side a layer may have to be turned with rounded corners or without a picture: such layers need a copy.
    static let maximumScratchSide = 2_048

    /// Paints the part of `item` inside `area` (screen pixels).
    func draw(_ item: DrawItem, in area: PixelRect) {
        let clip = item.visible.intersection(area)
        guard !clip.isEmpty else { return }
        if item.rotation != 0, item.content != .none {
            drawTurned(item, clip)
        } else {
            drawContent(item, clip)
        }
        drawBorder(item, clip)
    }

    private func drawContent(_ item: DrawItem, _ clip: PixelRect) {
        switch item.content {
        case .none: break
        case .solid(let color): fillRounded(color.multiplied(item.opacity), item, clip)
        case .image(let image, let tint) where image.format == .a8: drawMask(image, tint.multiplied(item.opacity), item, clip)
        case .image(let image, _): drawPicture(image, item, clip)
        case .gradient(let top, let bottom): drawGradient(top, bottom, item, clip)
        }
    }

    // MARK: Solid

    private func fillRounded(_ color: Color, _ item: DrawItem, _ clip: PixelRect) {
        guard item.cornerRadius > 0 else { return fill(color, item.frame.intersection(clip)) }
        let parts = RoundedParts(item.frame, box: CornerMasks.box(radius: item.cornerRadius, border: 0))
        for middle in parts.middles { fill(color, middle.intersection(clip)) }
        let mask = masks.mask(radius: item.cornerRadius, border: 0, opacity: 255)
        withSolid(color) { source in drawCorners(parts, source: source, sourceFrame: item.frame, mask: mask, clip) }
    }

    /// Plain rectangle; opaque colours overwrite.
    func fill(_ color: Color, _ rect: PixelRect) {
        guard !rect.isEmpty, color.alpha > 0 else { return }
        var premultiplied = color.pixman
        var box = pixman_box32_t(x1: Int32(rect.left - originX), y1: Int32(rect.top - originY),
                                 x2: Int32(rect.right - originX), y2: Int32(rect.bottom - originY))
        pixman_image_fill_boxes(color.alpha == 255 ? PIXMAN_OP_SRC : PIXMAN_OP_OVER, target.image, &premultiplied, 1, &box)
    }

    // MARK: Pictures

    private func drawPicture(_ image: StoredImage, _ item: DrawItem, _ clip: PixelRect) {
        image.place(in: item.frame, rotation: 0)
        withOpacity(item.opacity) { opacity in
            guard item.cornerRadius > 0 else {
                return composite(image.pixmap.image, item.frame, opacity, 0, 0, item.frame.intersection(clip))
            }
            let parts = RoundedParts(item.frame, box: CornerMasks.box(radius: item.cornerRadius, border: 0))
            for middle in parts.middles { composite(image.pixmap.image, item.frame, opacity, 0, 0, middle.intersection(clip)) }
            let mask = masks.mask(radius: item.cornerRadius, border: 0, opacity: item.opacity)
            drawCorners(parts, source: image.pixmap.image, sourceFrame: item.frame, mask: mask, clip)
        }
    }

    /// An A8 resource in a colour.
    private func drawMask(_ image: StoredImage, _ color: Color, _ item: DrawItem, _ clip: PixelRect) {
        image.place(in: item.frame, rotation: 0)
        let rect = item.frame.intersection(clip)
        withSolid(color) { source in
            guard item.cornerRadius > 0, item.frame.fitsScratch else {
                return composite(source, item.frame, image.pixmap.image, rect.left - item.frame.left, rect.top - item.frame.top, rect)
            }
            let coverage = Pixmap(width: item.frame.width, height: item.frame.height, format: .mask)
            pixman_image_composite32(PIXMAN_OP_SRC, image.pixmap.image, nil, coverage.image, 0, 0, 0, 0, 0, 0, Int32(coverage.width), Int32(coverage.height))
            let local = coverage.bounds
            let corner = masks.mask(radius: item.cornerRadius, border: 0, opacity: 255)
            for part in RoundedParts(local, box: CornerMasks.box(radius: item.cornerRadius, border: 0)).corners where !part.rect.isEmpty {
                pixman_image_composite32(PIXMAN_OP_IN_REVERSE, corner.image, nil, coverage.image, Int32(part.maskX), Int32(part.maskY), 0, 0,
                                         Int32(part.rect.left), Int32(part.rect.top), Int32(part.rect.width), Int32(part.rect.height))
            }
            composite(source, item.frame, coverage.image, rect.left - item.frame.left, rect.top - item.frame.top, rect)
        }
    }

    // MARK: Gradient

    private func drawGradient(_ top: Color, _ bottom: Color, _ item: DrawItem, _ clip: PixelRect) {
        let frame = item.frame, rows = clip.intersection(frame)
        guard !rows.isEmpty, let target = target.image else { return }
        let strip = GradientStrip(top, bottom, opacity: item.opacity, frame: frame, rows: rows.top..<rows.bottom)
        func paint(_ rect: PixelRect, mask: OpaquePointer? = nil, maskX: Int = 0, maskY: Int = 0) {
            guard !rect.isEmpty, let source = strip.pixmap.image else { return }
            pixman_image_composite32(PIXMAN_OP_OVER, source, mask, target, Int32(GradientStrip.column(rect.left)), Int32(rect.top - strip.top), Int32(maskX), Int32(maskY),
                                     Int32(rect.left - originX), Int32(rect.top - originY), Int32(rect.width), Int32(rect.height))
        }
        let parts = RoundedParts(frame, box: CornerMasks.box(radius: item.cornerRadius, border: 0))
        for middle in parts.middles { paint(middle.intersection(clip)) }
        guard item.cornerRadius > 0 else { return }
        let mask = masks.mask(radius: item.cornerRadius, border: 0, opacity: 255)
        for corner in parts.corners {
            let rect = corner.rect.intersection(clip)
            paint(rect, mask: mask.image, maskX: rect.left - corner.rect.left + corner.maskX, maskY: rect.top - corner.rect.top + corner.maskY)
        }
    }

    // MARK: Border

    private func drawBorder(_ item: DrawItem, _ clip: PixelRect) {
        guard item.borderWidth > 0 else { return }
        let frame = item.frame
        let width = min(item.borderWidth, (min(frame.width, frame.height) + 1) / 2)
        let color = item.borderColor.multiplied(item.opacity)
        let box = CornerMasks.box(radius: item.cornerRadius, border: width)
        let parts = RoundedParts(frame, box: box)
        let (above, middle, below) = (parts.middles[0], parts.middles[1], parts.middles[2])
        fill(color, PixelRect(left: above.left, top: frame.top, right: above.right, bottom: frame.top + width).intersection(clip))
        fill(color, PixelRect(left: below.left, top: frame.bottom - width, right: below.right, bottom: frame.bottom).intersection(clip))
        fill(color, PixelRect(left: frame.left, top: middle.top, right: frame.left + width, bottom: middle.bottom).intersection(clip))
        fill(color, PixelRect(left: frame.right - width, top: middle.top, right: frame.right, bottom: middle.bottom).intersection(clip))
        let mask = masks.mask(radius: item.cornerRadius, border: width, opacity: 255)
        withSolid(color) { source in drawCorners(parts, source: source, sourceFrame: frame, mask: mask, clip) }
    }

    // MARK: Rotation

    /// Own content turned about the centre. A plain picture is turned while it is painted, anything else through a copy.
    private func drawTurned(_ item: DrawItem, _ clip: PixelRect) {
        if case .image(let image, let tint) = item.content, item.cornerRadius == 0 {
            image.place(in: item.frame, rotation: item.rotation)
            if image.format == .a8 {
                withSolid(tint.multiplied(item.opacity)) { source in
                    composite(source, item.frame, image.pixmap.image, clip.left - item.frame.left, clip.top - item.frame.top, clip)
                }
            } else {
                withOpacity(item.opacity) { opacity in composite(image.pixmap.image, item.frame, opacity, 0, 0, clip) }
            }
            return
        }
        guard item.frame.fitsScratch else { return drawContent(item, clip) }
        let copy = Pixmap(width: item.frame.width, height: item.frame.height, format: .premultiplied)
        Canvas(target: copy, masks: masks, originX: item.frame.left, originY: item.frame.top).drawContent(item, item.frame)
        copy.setTransform(width: item.frame.width, height: item.frame.height, rotation: item.rotation)
        composite(copy.image, item.frame, nil, 0, 0, clip)
    }

    // MARK: pixman

    private func drawCorners(_ parts: RoundedParts, source: OpaquePointer?, sourceFrame: PixelRect, mask: Pixmap, _ clip: PixelRect) {
        for corner in parts.corners {
            let rect = corner.rect.intersection(clip)
            composite(source, sourceFrame, mask.image, rect.left - corner.rect.left + corner.maskX, rect.top - corner.rect.top + corner.maskY, rect)
        }
    }

    /// `source` has its origin at the frame's corner; mask coordinates are those of `rect`'s corner.
    private func composite(_ source: OpaquePointer?, _ frame: PixelRect, _ mask: OpaquePointer?, _ maskX: Int, _ maskY: Int, _ rect: PixelRect) {
        guard !rect.isEmpty, let source, let destination = target.image else { return }
        pixman_image_composite32(PIXMAN_OP_OVER, source, mask, destination, Int32(rect.left - frame.left), Int32(rect.top - frame.top),
                                 Int32(maskX), Int32(maskY), Int32(rect.left - originX), Int32(rect.top - originY), Int32(rect.width), Int32(rect.height))
    }

    private func withSolid(_ color: Color, _ body: (OpaquePointer) -> Void) {
        guard color.alpha > 0 else { return }
        var premultiplied = color.pixman
        guard let source = pixman_image_create_solid_fill(&premultiplied) else { return }
        body(source)
        pixman_image_unref(source)
    }

    /// A mask for `opacity`, none when it is 255.
    private func withOpacity(_ opacity: UInt8, _ body: (OpaquePointer?) -> Void) {
        guard opacity < 255 else { return body(nil) }
        withSolid(Color(0, 0, 0, opacity)) { body($0) }
    }
}

extension PixelRect {
    fileprivate var fitsScratch: Bool { width <= Canvas.maximumScratchSide && height <= Canvas.maximumScratchSide }
}

import CPango
import CPixbuf
import FasciaScene

/// How a picture meets a box of other proportions.
public enum ImageMode: Hashable, Sendable {
    /// Covers the box, what is over is cut evenly.
    case fill
    /// Whole inside the box; the rest stays transparent.
    case fit
}

/// A picture as a place on the screen wants it.
public struct PictureKey: Hashable, Sendable {
    /// Names the encoded bytes; empty = not cached.
    public var key: String
    /// Pixels.
    public var width: Int
    public var height: Int
    public var mode: ImageMode
    /// Pixels; half the side or more makes a circle.
    public var cornerRadius: Double
    /// The shape (alpha) only, A8, to tint.
    public var mask: Bool

    public init(key: String, width: Int, height: Int, mode: ImageMode = .fill, cornerRadius: Double = 0, mask: Bool = false) {
        (self.key, self.width, self.height, self.mode, self.cornerRadius, self.mask) = (key, width, height, mode, cornerRadius, mask)
    }

    /// Decodes and paints it: the long part of the work, on any thread.
    /// - Parameter encoded: a PNG, JPEG or GIF (still).
    /// - Returns: exactly `width` x `height` pixels, BGRA8, or A8 for a mask.
    /// - Throws: what is wrong with the bytes.
    public func paint(_ encoded: [UInt8]) throws(PaintError) -> RasterImage {
        guard (1...4_096).contains(width), (1...4_096).contains(height) else {
            throw PaintError(.imageTooLarge, "image wanted at \(width) x \(height) pixels; 1 to 4,096 a side are painted")
        }
        let decoded = try DecodedImage.decode(encoded, target: (width, height))
        guard let source = decoded.premultiplied() else { throw PaintError(.imageTooLarge, "no memory for an image of \(decoded.width) x \(decoded.height) pixels") }
        defer { cairo_surface_destroy(source) }
        let pixels = Mask.pixels(format: mask ? CAIRO_FORMAT_A8 : CAIRO_FORMAT_ARGB32, width: width, height: height) { cairo in
            place(source, Double(decoded.width), Double(decoded.height), on: cairo)
        }
        guard let pixels, let image = RasterImage(format: mask ? .a8 : .bgra8, width: width, height: height, pixels: pixels) else {
            throw PaintError(.imageTooLarge, "no memory for an image of \(width) x \(height) pixels")
        }
        return image
    }

    private func place(_ source: OpaquePointer, _ sourceWidth: Double, _ sourceHeight: Double, on cairo: OpaquePointer) {
        let width = Double(width), height = Double(height)
        let across = width / sourceWidth, down = height / sourceHeight
        let scale = mode == .fill ? max(across, down) : min(across, down)
        let x = (width - sourceWidth * scale) / 2, y = (height - sourceHeight * scale) / 2
        if cornerRadius > 0 {
            let left = max(0, x), top = max(0, y)
            Mask.roundedRectangle(cairo, x: left, y: top, width: min(width, sourceWidth * scale), height: min(height, sourceHeight * scale), radius: cornerRadius)
            cairo_clip(cairo)
        }
        cairo_translate(cairo, x, y)
        cairo_scale(cairo, scale, scale)
        cairo_set_source_surface(cairo, source, 0, 0)
        if let pattern = cairo_get_source(cairo) {
            cairo_pattern_set_filter(pattern, CAIRO_FILTER_BEST)
            // Without it the filter mixes the outside's nothing into the edges.
            cairo_pattern_set_extend(pattern, mask ? CAIRO_EXTEND_NONE : CAIRO_EXTEND_PAD)
        }
        cairo_rectangle(cairo, 0, 0, sourceWidth, sourceHeight)
        cairo_fill(cairo)
    }
}

extension Painter {
    /// A PNG, JPEG or GIF (still) at exactly `width` x `height` pixels, BGRA8.
    /// - Parameters:
    ///   - key: names the bytes for the cache; nil = not cached.
    ///   - cornerRadius: pixels; half the side or more makes a circle.
    /// - Throws: what is wrong with the bytes.
    public func image(encoded: [UInt8], key: String? = nil, width: Int, height: Int, mode: ImageMode = .fill, cornerRadius: Double = 0) throws(PaintError) -> RasterImage {
        try picture(encoded, PictureKey(key: key ?? "", width: width, height: height, mode: mode, cornerRadius: cornerRadius, mask: false))
    }

    /// The shape (alpha) of a picture, as an A8 mask to tint: what UIKit calls a template image.
    public func mask(encoded: [UInt8], key: String? = nil, width: Int, height: Int, mode: ImageMode = .fit) throws(PaintError) -> RasterImage {
        try picture(encoded, PictureKey(key: key ?? "", width: width, height: height, mode: mode, cornerRadius: 0, mask: true))
    }

    /// The picture's own size in pixels, from its header: no pixel is decoded. Nil when it has none that would be accepted.
    public static func size(encoded: [UInt8]) -> (width: Int, height: Int)? { DecodedImage.size(encoded) }

    private func picture(_ encoded: [UInt8], _ key: PictureKey) throws(PaintError) -> RasterImage {
        if let known = cached(key) { return known }
        let image = try key.paint(encoded)
        keep(image, for: key)
        return image
    }

    /// A picture painted before and still cached; nothing is decoded.
    public func cached(_ key: PictureKey) -> RasterImage? { key.key.isEmpty ? nil : pictures.value(for: key) }

    /// Caches what `PictureKey.paint` made.
    public func keep(_ image: RasterImage, for key: PictureKey) {
        if !key.key.isEmpty { pictures.insert(image, for: key, cost: image.pixels.count + 128) }
    }
}

extension DecodedImage {
    /// A Cairo surface of a gdk-pixbuf picture (RGB or RGBA, 8 bit, not premultiplied).
    fileprivate func premultiplied() -> OpaquePointer? {
        guard gdk_pixbuf_get_bits_per_sample(pixbuf) == 8, let pixels = gdk_pixbuf_read_pixels(pixbuf),
              let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(width), Int32(height)), let data = cairo_image_surface_get_data(surface) else { return nil }
        let channels = Int(gdk_pixbuf_get_n_channels(pixbuf)), rowstride = Int(gdk_pixbuf_get_rowstride(pixbuf)), stride = Int(cairo_image_surface_get_stride(surface))
        for y in 0..<height {
            var from = pixels + y * rowstride
            var to = data + y * stride
            for _ in 0..<width {
                let alpha = channels == 4 ? UInt32(from[3]) : 255
                func scaled(_ value: UInt8) -> UInt8 { alpha == 255 ? value : UInt8((UInt32(value) * alpha + 127) / 255) }
                to[0] = scaled(from[2])
                to[1] = scaled(from[1])
                to[2] = scaled(from[0])
                to[3] = UInt8(alpha)
                from += channels
                to += 4
            }
        }
        cairo_surface_mark_dirty(surface)
        return surface
    }
}

import CPango
import FasciaScene

/// Cairo drawings as images.
enum Mask {
    /// An A8 image of what `body` draws in opaque ink.
    static func draw(width: Int, height: Int, _ body: (OpaquePointer) -> Void) -> RasterImage? {
        pixels(format: CAIRO_FORMAT_A8, width: width, height: height, body).flatMap {
            RasterImage(format: .a8, width: width, height: height, pixels: $0)
        }
    }

    /// Tightly packed pixels of what `body` draws; nil when Cairo has no memory for them.
    static func pixels(format: cairo_format_t, width: Int, height: Int, _ body: (OpaquePointer) -> Void) -> [UInt8]? {
        guard width > 0, height > 0, let surface = cairo_image_surface_create(format, Int32(width), Int32(height)) else { return nil }
        defer { cairo_surface_destroy(surface) }
        guard cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS, let cairo = cairo_create(surface) else { return nil }
        cairo_set_source_rgba(cairo, 0, 0, 0, 1)
        body(cairo)
        cairo_destroy(cairo)
        cairo_surface_flush(surface)
        guard let data = cairo_image_surface_get_data(surface) else { return nil }
        let stride = Int(cairo_image_surface_get_stride(surface)), row = width * (format == CAIRO_FORMAT_A8 ? 1 : 4)
        return [UInt8](unsafeUninitializedCapacity: row * height) { buffer, count in
            if let base = buffer.baseAddress {
                for y in 0..<height { (base + y * row).update(from: data + y * stride, count: row) }
            }
            count = row * height
        }
    }

    static func roundedRectangle(_ cairo: OpaquePointer, x: Double, y: Double, width: Double, height: Double, radius: Double) {
        let r = max(0, min(radius, width / 2, height / 2))
        cairo_new_sub_path(cairo)
        cairo_arc(cairo, x + width - r, y + r, r, -.pi / 2, 0)
        cairo_arc(cairo, x + width - r, y + height - r, r, 0, .pi / 2)
        cairo_arc(cairo, x + r, y + height - r, r, .pi / 2, .pi)
        cairo_arc(cairo, x + r, y + r, r, .pi, .pi * 1.5)
        cairo_close_path(cairo)
    }
}

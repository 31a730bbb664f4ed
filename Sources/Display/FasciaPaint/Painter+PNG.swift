import CPango

extension Painter {
    /// A PNG file of premultiplied BGRA pixels, rows from the top, tightly packed.
    /// Empty when the sizes do not agree.
    public static func png(bgra pixels: [UInt8], width: Int, height: Int) -> [UInt8] {
        guard width > 0, height > 0, width <= 16_384, height <= 16_384, pixels.count == width * height * 4,
              let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(width), Int32(height)), let data = cairo_image_surface_get_data(surface) else { return [] }
        defer { cairo_surface_destroy(surface) }
        let stride = Int(cairo_image_surface_get_stride(surface))
        pixels.withUnsafeBufferPointer { source in
            guard let base = source.baseAddress else { return }
            for y in 0..<height { (data + y * stride).update(from: base + y * width * 4, count: width * 4) }
        }
        cairo_surface_mark_dirty(surface)
        var file: [UInt8] = []
        withUnsafeMutablePointer(to: &file) { file in
            _ = cairo_surface_write_to_png_stream(surface, { context, bytes, count in
                context?.assumingMemoryBound(to: [UInt8].self).pointee.append(contentsOf: UnsafeBufferPointer(start: bytes, count: Int(count)))
                return CAIRO_STATUS_SUCCESS
            }, file)
        }
        return file
    }
}

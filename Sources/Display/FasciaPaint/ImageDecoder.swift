import CPixbuf

/// Bounds kept before any pixel is allocated (implementation constants).
public enum ImageLimits {
    /// Bytes of an encoded image.
    public static let maxBytes = 16 << 20
    /// Pixels of a side.
    public static let maxSide = 8_192
    /// Pixels in all: about 6,000 x 4,000.
    public static let maxPixels = 24_000_000
}

/// An encoded still image read through gdk-pixbuf. Only formats recognised by their first bytes are given to a loader, and only
/// to that format's: an app cannot reach the odd ones.
package final class DecodedImage {
    let pixbuf: OpaquePointer
    package var width: Int { Int(gdk_pixbuf_get_width(pixbuf)) }
    package var height: Int { Int(gdk_pixbuf_get_height(pixbuf)) }

    private init(_ pixbuf: OpaquePointer) { self.pixbuf = pixbuf }
    deinit { g_object_unref(UnsafeMutableRawPointer(pixbuf)) }

    /// - Parameter target: the size it is wanted for, pixels; loaders that can (JPEG) decode a smaller picture straight away.
    package static func decode(_ bytes: [UInt8], target: (width: Int, height: Int)?) throws(PaintError) -> DecodedImage {
        guard bytes.count <= ImageLimits.maxBytes else {
            throw PaintError(.imageTooLarge, "image of \(bytes.count) bytes; at most \(ImageLimits.maxBytes) are read")
        }
        guard let format = sniff(bytes) else {
            throw PaintError(bytes.isEmpty ? .corruptImage : .unsupportedImage,
                             bytes.isEmpty ? "image of 0 bytes" : "image format not recognised; PNG, JPEG and GIF are")
        }
        if format == "png", !isCompletePNG(bytes) { throw PaintError(.corruptImage, "broken png image: it ends before its last chunk") }
        var error: UnsafeMutablePointer<GError>?
        guard let loader = gdk_pixbuf_loader_new_with_type(format, &error) else {
            throw PaintError(.unsupportedImage, "no \(format) loader is installed: \(take(&error))")
        }
        defer { g_object_unref(UnsafeMutableRawPointer(loader)) }
        var prepared = Prepared(target: target)
        return try withUnsafeMutablePointer(to: &prepared) { (state) throws(PaintError) -> DecodedImage in
            onSizePrepared(loader, state)
            let fed = feed(loader, bytes, format, state)
            var closing: UnsafeMutablePointer<GError>?
            let closed = gdk_pixbuf_loader_close(loader, &closing) != 0
            if let failure = fed { g_clear_error(&closing); throw failure }
            if !closed {
                let reason = take(&closing)
                throw state.pointee.refusal ?? PaintError(.corruptImage, "broken \(format) image: \(reason)")
            }
            guard let plain = gdk_pixbuf_loader_get_pixbuf(loader), let upright = gdk_pixbuf_apply_embedded_orientation(plain) else {
                throw PaintError(.corruptImage, "broken \(format) image: no pixels in it")
            }
            return DecodedImage(upright)
        }
    }

    /// Reads no further than the header.
    static func size(_ bytes: [UInt8]) -> (width: Int, height: Int)? {
        guard let format = sniff(bytes), let loader = gdk_pixbuf_loader_new_with_type(format, nil) else { return nil }
        defer { g_object_unref(UnsafeMutableRawPointer(loader)) }
        var prepared = Prepared(stopsAtHeader: true)
        withUnsafeMutablePointer(to: &prepared) { state in
            onSizePrepared(loader, state)
            _ = feed(loader, bytes, format, state)
            gdk_pixbuf_loader_close(loader, nil)
        }
        return prepared.size
    }

    private static func onSizePrepared(_ loader: UnsafeMutablePointer<GdkPixbufLoader>, _ state: UnsafeMutablePointer<Prepared>) {
        _ = fascia_on_size_prepared(loader, { loader, width, height, context in
            guard let state = context?.assumingMemoryBound(to: Prepared.self) else { return }
            Prepared.sizeKnown(loader, Int(width), Int(height), state)
        }, state)
    }

    private struct Prepared {
        var target: (width: Int, height: Int)?
        var stopsAtHeader = false
        var size: (width: Int, height: Int)?
        var refusal: PaintError?

        static func sizeKnown(_ loader: UnsafeMutablePointer<GdkPixbufLoader>?, _ width: Int, _ height: Int, _ state: UnsafeMutablePointer<Prepared>) {
            guard width > 0, height > 0, width <= ImageLimits.maxSide, height <= ImageLimits.maxSide, width * height <= ImageLimits.maxPixels else {
                state.pointee.refusal = PaintError(.imageTooLarge, "image of \(width) x \(height) pixels; at most \(ImageLimits.maxPixels) pixels are decoded")
                gdk_pixbuf_loader_set_size(loader, 0, 0) // loaders stop here, before allocating
                return
            }
            state.pointee.size = (width, height)
            if state.pointee.stopsAtHeader { gdk_pixbuf_loader_set_size(loader, 0, 0) }
            guard let target = state.pointee.target else { return }
            // Twice the wanted size is left for the good scaling that follows.
            let ratio = max(Double(target.width * 2) / Double(width), Double(target.height * 2) / Double(height))
            guard ratio < 0.75 else { return }
            gdk_pixbuf_loader_set_size(loader, Int32(max(1, (Double(width) * ratio).rounded(.up))), Int32(max(1, (Double(height) * ratio).rounded(.up))))
        }
    }

    /// Small chunks: a bomb or an animation is refused as soon as it shows.
    private static func feed(_ loader: UnsafeMutablePointer<GdkPixbufLoader>, _ bytes: [UInt8], _ format: String, _ state: UnsafeMutablePointer<Prepared>) -> PaintError? {
        var at = 0
        while at < bytes.count {
            let count = min(16 << 10, bytes.count - at)
            var error: UnsafeMutablePointer<GError>?
            let written = bytes.withUnsafeBufferPointer { gdk_pixbuf_loader_write(loader, $0.baseAddress.map { $0 + at }, gsize(count), &error) != 0 }
            if !written {
                let reason = take(&error)
                return state.pointee.refusal ?? PaintError(.corruptImage, "broken \(format) image: \(reason)")
            }
            if let refusal = state.pointee.refusal { return refusal }
            if state.pointee.stopsAtHeader, state.pointee.size != nil { return nil }
            at += count
            if format == "gif", let animation = gdk_pixbuf_loader_get_animation(loader), gdk_pixbuf_animation_is_static_image(animation) == 0 {
                return PaintError(.animatedImage, "animated GIF: car screens show still images only; give the app's image as PNG or JPEG")
            }
        }
        return nil
    }

    private static func take(_ error: inout UnsafeMutablePointer<GError>?) -> String {
        defer { g_clear_error(&error) }
        return error.flatMap { $0.pointee.message }.map { String(cString: $0) } ?? "unknown reason"
    }

    private static func sniff(_ bytes: [UInt8]) -> String? {
        bytes.withUnsafeBufferPointer { fascia_image_format($0.baseAddress, $0.count) }.map { String(cString: $0) }
    }

    /// The loader is made for pictures that are still arriving and does not mind an end that never came.
    private static func isCompletePNG(_ bytes: [UInt8]) -> Bool {
        var at = 8
        while at + 12 <= bytes.count {
            let length = bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
            if bytes[at + 4..<at + 8].elementsEqual(Array("IEND".utf8)) { return true }
            at += 12 + length
        }
        return false
    }
}

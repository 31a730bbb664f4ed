import CPixbuf
import Foundation

/// Reads the size of an encoded image without decoding its pixels.
enum ImageHeader {
    /// Sides longer than this are refused: nothing on a car screen needs them, and the decoder of the phone refuses them too.
    static let maximumSide = 16_384

    private final class Found {
        var width: Int32 = 0
        var height: Int32 = 0
    }

    /// A decoder for PNG, JPEG or GIF, whichever `bytes` begin as; nil for anything else, as the phone refuses it too.
    static func loader(for bytes: [UInt8]) -> UnsafeMutablePointer<GdkPixbufLoader>? {
        bytes.withUnsafeBufferPointer { fascia_image_format($0.baseAddress, $0.count) }.flatMap { gdk_pixbuf_loader_new_with_type($0, nil) }
    }

    /// Pixels, or nil for what `loader` is nil for.
    static func pixelSize(of bytes: [UInt8]) -> CGSize? {
        guard let loader = loader(for: bytes) else { return nil }
        let found = Found()
        let callback: @convention(c) (UnsafeMutableRawPointer?, Int32, Int32, UnsafeMutableRawPointer?) -> Void = sizePrepared
        g_signal_connect_data(
            loader, "size-prepared", unsafeBitCast(callback, to: GCallback.self), Unmanaged.passUnretained(found).toOpaque(), nil, GConnectFlags(rawValue: 0))
        // Small pieces: the size comes with the first ones, pixels are not waited for.
        var offset = 0
        while offset < bytes.count, found.width == 0 {
            let length = min(1_024, bytes.count - offset)
            let accepted = bytes.withUnsafeBufferPointer { buffer in
                gdk_pixbuf_loader_write(loader, buffer.baseAddress.map { $0 + offset }, gsize(length), nil)
            }
            if accepted == 0 { break }
            offset += length
        }
        gdk_pixbuf_loader_close(loader, nil)
        g_object_unref(loader)
        guard found.width > 0, found.height > 0, found.width <= maximumSide, found.height <= maximumSide else { return nil }
        return CGSize(width: Int(found.width), height: Int(found.height))
    }

    private static let sizePrepared: @convention(c) (UnsafeMutableRawPointer?, Int32, Int32, UnsafeMutableRawPointer?) -> Void = { loader, width, height, context in
        // Loaders stop here, before they allocate pixels: a small file may claim gigabytes of them.
        loader.map { gdk_pixbuf_loader_set_size($0.assumingMemoryBound(to: GdkPixbufLoader.self), 0, 0) }
        guard let context else { return }
        let found = Unmanaged<Found>.fromOpaque(context).takeUnretainedValue()
        found.width = width
        found.height = height
    }
}

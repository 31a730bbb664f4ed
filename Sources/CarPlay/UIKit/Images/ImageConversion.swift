import CPixbuf
import Foundation

/// Changes the file format of an encoded image.
enum ImageConversion {
    enum Format {
        case png
        /// Quality 0 to 100.
        case jpeg(Int)
    }

    /// Nil when `bytes` cannot be decoded.
    static func convert(_ bytes: [UInt8], to format: Format) -> Data? {
        guard let loader = ImageHeader.loader(for: bytes) else { return nil }
        defer { g_object_unref(loader) }
        let written = bytes.withUnsafeBufferPointer { gdk_pixbuf_loader_write(loader, $0.baseAddress, gsize($0.count), nil) }
        let closed = gdk_pixbuf_loader_close(loader, nil)
        guard written != 0, closed != 0, let pixbuf = gdk_pixbuf_loader_get_pixbuf(loader) else { return nil }
        var buffer: UnsafeMutablePointer<CChar>?
        var size: gsize = 0
        let saved: gboolean
        switch format {
        case .png: saved = save(pixbuf, &buffer, &size, "png", [])
        case .jpeg(let quality): saved = save(pixbuf, &buffer, &size, "jpeg", [("quality", String(quality))])
        }
        guard saved != 0, let buffer else { return nil }
        defer { g_free(buffer) }
        return Data(bytes: buffer, count: Int(size))
    }

    private static func save(
        _ pixbuf: OpaquePointer, _ buffer: inout UnsafeMutablePointer<CChar>?, _ size: inout gsize, _ type: String, _ options: [(String, String)]
    ) -> gboolean {
        var keys: [UnsafeMutablePointer<CChar>?] = options.map { strdup($0.0) } + [nil]
        var values: [UnsafeMutablePointer<CChar>?] = options.map { strdup($0.1) } + [nil]
        defer { (keys + values).forEach { free($0) } }
        return gdk_pixbuf_save_to_bufferv(pixbuf, &buffer, &size, type, &keys, &values, nil)
    }
}

import CPixman
import FasciaScene
import FasciaWire

/// A decoded resource as pixman wants it: rows aligned to four bytes. Freed when neither the store nor a layer holds it.
final class StoredImage {
    let pixmap: Pixmap
    let format: RasterImage.Format
    /// No pixel lets anything through.
    let isOpaque: Bool
    private let ledger: ResourceLedger
    /// Of the budget (spec 10.2).
    private let cost: Int

    var width: Int { pixmap.width }
    var height: Int { pixmap.height }

    init(_ image: RasterImage, ledger: ResourceLedger) {
        let opaque = image.format == .bgra8 && Self.hasOnlyOpaquePixels(image.pixels)
        format = image.format
        isOpaque = opaque
        pixmap = Pixmap(width: image.width, height: image.height, format: image.format == .a8 ? .mask : opaque ? .opaque : .premultiplied)
        pixmap.copyRows(from: image.pixels, bytesPerPixel: image.format.bytesPerPixel)
        self.ledger = ledger
        cost = image.pixels.count + ResourceHeader.overhead
        ledger.bytes += cost
    }

    deinit { ledger.bytes -= cost }

    private static func hasOnlyOpaquePixels(_ pixels: [UInt8]) -> Bool {
        pixels.withUnsafeBytes { bytes in
            var all: UInt32 = 0xFF00_0000
            var at = 0
            while at + 4 <= bytes.count {
                all &= bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self)
                at += 4
            }
            return UInt32(littleEndian: all) == 0xFF00_0000
        }
    }
}

/// What every `StoredImage` alive costs.
final class ResourceLedger {
    var bytes = 0
}

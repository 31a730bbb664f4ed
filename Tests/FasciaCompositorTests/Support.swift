import FasciaScene
import FasciaWire
import Testing
@testable import FasciaCompositor

let white = Color(255, 255, 255)
let red = Color(255, 0, 0)
let black = Color(0, 0, 0)

/// A rendered frame as rows of `RRGGBB`, for golden comparison.
struct Picture {
    let pixels: [UInt8]
    let width: Int

    init(_ pixels: [UInt8], width: Int) {
        self.pixels = pixels
        self.width = width
    }
    init(_ frame: SceneFrame, width: Int, height: Int, now: UInt64 = 0) throws {
        self.init(try Compositor.render(frame, width: width, height: height, now: now), width: width)
    }
    func rgb(_ x: Int, _ y: Int) -> UInt32 {
        let at = (y * width + x) * 4
        return UInt32(pixels[at + 2]) << 16 | UInt32(pixels[at + 1]) << 8 | UInt32(pixels[at])
    }
    /// One character a pixel by red value: `.` black, `#` full, hex digit of the upper nibble between.
    var reds: [String] {
        (0..<pixels.count / 4 / width).map { y in
            String((0..<width).map { x -> Character in
                let value = rgb(x, y) >> 16
                return value == 0 ? "." : value == 255 ? "#" : Character(String(value >> 4, radix: 16))
            })
        }
    }
}

func layer(_ id: UInt32, parent: UInt32 = 0, order: Int32 = 0, _ x: Float, _ y: Float, _ width: Float, _ height: Float,
           _ content: SceneLayer.Content = .none, _ change: (inout SceneLayer) -> Void = { _ in }) -> SceneLayer {
    var layer = SceneLayer(id: id, parent: parent, order: order, x: x, y: y, width: width, height: height, content: content)
    change(&layer)
    return layer
}

func frame(_ layers: SceneLayer..., background: Color = black) -> SceneFrame { SceneFrame(background: background, layers: layers) }

func commit(_ sequence: UInt32, _ layers: [Layer] = [], remove: [UInt32] = [], reset: Bool = false) -> Commit {
    Commit.with {
        $0.sequence = sequence
        $0.upsert = layers
        $0.remove = remove
        $0.reset = reset
    }
}

func wireLayer(_ id: UInt32, parent: UInt32 = 0, solid: UInt32 = 0xFF0000FF, _ change: (inout Layer) -> Void = { _ in }) -> Layer {
    var layer = Layer()
    layer.id = id
    layer.parent = parent
    layer.width = 2
    layer.height = 2
    layer.solid = solid
    change(&layer)
    return layer
}

/// A 0x1001 body.
func resourceBody(id: UInt32, _ image: RasterImage, compression: UInt8 = 0, data: [UInt8]? = nil, rawLength: UInt32? = nil) -> [UInt8] {
    func bytes<T: FixedWidthInteger>(_ value: T) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }
    return bytes(id) + [image.format.rawValue, compression, 0, 0] + bytes(UInt16(image.width)) + bytes(UInt16(image.height))
        + bytes(rawLength ?? UInt32(image.pixels.count)) + bytes(image.hash.high) + bytes(image.hash.low) + (data ?? image.pixels)
}

func raster(_ format: RasterImage.Format, _ width: Int, _ height: Int, _ pixels: [UInt8]) throws -> RasterImage {
    try #require(RasterImage(format: format, width: width, height: height, pixels: pixels))
}

func code(_ body: () throws(DisplayError) -> Void) -> DisplayError.Code? {
    do { try body() } catch { return error.code }
    return nil
}

import FasciaScene
import Glibc

/// A parking space behind the car as a wide camera at the tailgate sees it: asphalt, painted lines, a garage wall. Made, not filmed: this
/// head unit has no camera.
struct ReversePicture {
    let width: Int
    let height: Int
    let night: Bool

    private typealias Light = SIMD3<Float>

    func image() -> RasterImage? {
        var pixels = [UInt8](repeating: 255, count: width * height * 4)
        var index = 0
        for row in 0..<height {
            for column in 0..<width {
                var color = scene(row, column)
                color *= shade(row, column)
                let noise = (grain(column, row) - 0.5) * (night ? 0.05 : 0.025)
                for channel in 0..<3 {
                    pixels[index + 2 - channel] = UInt8(max(0, min(255, (color[channel] + noise) * 255)))
                }
                index += 4
            }
        }
        return RasterImage(format: .bgra8, width: width, height: height, pixels: pixels)
    }

    private func scene(_ row: Int, _ column: Int) -> Light {
        let view = ReverseView(width: width, height: height)
        let x = (Float(column) + 0.5 - Float(width) / 2)
        guard let depth = view.depth(row: Float(row) + 0.5), depth < ReverseView.wall else { return wall(row, x, view) }
        return ground(x * depth / view.focus, depth)
    }

    private func ground(_ x: Float, _ z: Float) -> Light {
        // Coarse and fine stones, coarser near by.
        let stones = 0.5 * grain(Int(x * 90 + 10_000), Int(z * 90)) + 0.5 * grain(Int(x * 25 + 10_000), Int(z * 25))
        var color = Light(0.34, 0.345, 0.355) * (0.88 + 0.2 * stones)
        let wear = 0.75 + 0.25 * grain(Int(x * 8 + 1_000), Int(z * 8))
        if abs(abs(x) - 1.45) < 0.06 || (abs(z - 4.9) < 0.06 && abs(x) < 1.51) { color = Light(0.86, 0.86, 0.83) * wear }
        // The neighbours' spaces.
        if abs(abs(x) - 4.35) < 0.06 { color = Light(0.8, 0.8, 0.77) * wear }
        // What stands before the wall darkens the ground there.
        let shadow = max(0, min(1, (ReverseView.wall - z) / 0.8))
        return color * (0.55 + 0.45 * shadow)
    }

    private func wall(_ row: Int, _ x: Float, _ view: ReverseView) -> Light {
        let scale = view.focus / ReverseView.wall
        let across = x / scale, up = (view.bottom(of: ReverseView.wall) - Float(row) - 0.5) / scale
        if up > 2.6 {
            let sky = min(1, (up - 2.6) / 3)
            return Light(0.66, 0.75, 0.86) * (1 - sky) + Light(0.42, 0.57, 0.78) * sky
        }
        // A garage door of slats in a plastered wall.
        if abs(across) < 1.35, up < 2.15 {
            let slat = (up * 4).truncatingRemainder(dividingBy: 1)
            return Light(0.63, 0.65, 0.67) * (slat < 0.12 ? 0.72 : 0.95 + 0.05 * slat)
        }
        if abs(across) < 1.45, up < 2.25 { return Light(0.38, 0.39, 0.4) }
        if up < 0.25 { return Light(0.45, 0.42, 0.4) }
        if up > 2.5 { return Light(0.5, 0.33, 0.26) }
        let plaster = 0.94 + 0.08 * grain(Int(across * 12 + 1_000), Int(up * 12))
        return Light(0.76, 0.71, 0.62) * plaster
    }

    /// The lens darkens its corners; by night only the reversing lamps light what is near.
    private func shade(_ row: Int, _ column: Int) -> Light {
        let across = (Float(column) / Float(width) - 0.5) * 2, down = (Float(row) / Float(height) - 0.5) * 2
        let corner = 1 - 0.22 * (across * across + down * down * 0.6)
        guard night else { return Light(repeating: corner) }
        let view = ReverseView(width: width, height: height)
        let depth = min(view.depth(row: Float(row)) ?? ReverseView.wall, ReverseView.wall)
        let lamp = 1.35 / (0.75 + depth * depth * 0.11) * max(0.12, 1 - 0.75 * across * across)
        return Light(1, 0.93, 0.8) * (lamp * corner * 0.78 + 0.05)
    }

    private func grain(_ x: Int, _ y: Int) -> Float {
        var bits = UInt32(truncatingIfNeeded: x) &* 0x9E37_79B1 ^ UInt32(truncatingIfNeeded: y) &* 0x85EB_CA77
        bits = (bits ^ (bits >> 15)) &* 0x2C1B_3C6D
        bits ^= bits >> 12
        return Float(bits & 0xFFFF) / 65_535
    }
}

/// How the camera looks down on the ground. Metres, and pixels of a picture of this size.
struct ReverseView {
    /// Behind the car.
    static let wall: Float = 6.2

    let width: Int
    let height: Int
    /// Of the lens over the ground. On screens taller than 3:5 it looks down from higher up, through a wider lens: else the car's own
    /// width would not fit.
    private var lens: Float { max(1, Float(height) * 5 / (Float(width) * 3)) }
    /// Pixels a metre takes at one metre.
    var focus: Float { Float(height) * 0.78 / lens }
    /// The row of what is infinitely far.
    private var horizon: Float { Float(height) * 0.2 }

    /// Metres behind the car; nil above the horizon.
    func depth(row: Float) -> Float? { row > horizon + 1 ? lens * focus / (row - horizon) : nil }

    /// The row where the ground is `depth` metres away.
    func bottom(of depth: Float) -> Float { horizon + lens * focus / depth }
}

/// A rectangle in points, origin top left.
struct Rect: Hashable {
    var x: Double
    var y: Double
    var width: Double
    var height: Double

    init(_ x: Double, _ y: Double, _ width: Double, _ height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    static let zero = Rect(0, 0, 0, 0)
    var maxX: Double { x + width }
    var maxY: Double { y + height }
    var midX: Double { x + width / 2 }
    var midY: Double { y + height / 2 }
    var isEmpty: Bool { width <= 0 || height <= 0 }

    func inset(_ by: Double) -> Rect { Rect(x + by, y + by, width - 2 * by, height - 2 * by) }
    func moved(_ dx: Double, _ dy: Double) -> Rect { Rect(x + dx, y + dy, width, height) }
    func contains(_ px: Double, _ py: Double) -> Bool { px >= x && px < maxX && py >= y && py < maxY }

    func intersection(_ other: Rect) -> Rect {
        let left = max(x, other.x), top = max(y, other.y)
        return Rect(left, top, min(maxX, other.maxX) - left, min(maxY, other.maxY) - top)
    }

    static func centered(_ x: Double, _ y: Double, _ side: Double) -> Rect { Rect(x - side / 2, y - side / 2, side, side) }
}

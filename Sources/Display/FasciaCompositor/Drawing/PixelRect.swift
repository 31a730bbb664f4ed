/// Whole pixels of the screen, right and bottom edges exclusive.
public struct PixelRect: Hashable, Sendable {
    public var left: Int
    public var top: Int
    public var right: Int
    public var bottom: Int

    public init(left: Int, top: Int, right: Int, bottom: Int) {
        self.left = left
        self.top = top
        self.right = right
        self.bottom = bottom
    }
    public init(x: Int, y: Int, width: Int, height: Int) {
        self.init(left: x, top: y, right: x + width, bottom: y + height)
    }

    /// Holds no pixel.
    public static let empty = PixelRect(left: 0, top: 0, right: 0, bottom: 0)
    public var width: Int { right - left }
    public var height: Int { bottom - top }
    public var isEmpty: Bool { right <= left || bottom <= top }
    /// Pixels; 0 when empty.
    public var area: Int { isEmpty ? 0 : width * height }

    /// What both hold; empty (perhaps with edges crossed) when nothing.
    public func intersection(_ other: PixelRect) -> PixelRect {
        PixelRect(left: max(left, other.left), top: max(top, other.top), right: min(right, other.right), bottom: min(bottom, other.bottom))
    }
    /// The smallest rectangle that holds both; an empty one adds nothing.
    public func union(_ other: PixelRect) -> PixelRect {
        if isEmpty { return other }
        if other.isEmpty { return self }
        return PixelRect(left: min(left, other.left), top: min(top, other.top), right: max(right, other.right), bottom: max(bottom, other.bottom))
    }
    public func intersects(_ other: PixelRect) -> Bool { !intersection(other).isEmpty }
    public func contains(_ other: PixelRect) -> Bool {
        left <= other.left && top <= other.top && right >= other.right && bottom >= other.bottom
    }
    func offset(x: Int, y: Int) -> PixelRect { PixelRect(left: left + x, top: top + y, right: right + x, bottom: bottom + y) }
}

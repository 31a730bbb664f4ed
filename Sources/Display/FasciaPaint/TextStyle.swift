import FasciaScene

/// How a text is set. Lengths are pixels.
public struct TextStyle: Hashable, Sendable {
    public enum Weight: Int, Sendable { case regular = 400, medium = 500, semibold = 600, bold = 700 }
    /// `leading` follows the direction of the text's own script: right for Arabic and Hebrew.
    public enum Alignment: Sendable { case leading, center, trailing }

    /// Em size.
    public var size: Double
    public var weight: Weight
    /// Lines are broken and cut with an ellipsis at this width; nil = one line of any width.
    public var maxWidth: Int?
    public var maxLines: Int
    public var alignment: Alignment
    /// Added between lines.
    public var lineSpacing: Double
    /// Digits of one width, for clocks and counters.
    public var tabularDigits: Bool

    public init(size: Double, weight: Weight = .regular, maxWidth: Int? = nil, maxLines: Int = 1, alignment: Alignment = .leading,
                lineSpacing: Double = 0, tabularDigits: Bool = false) {
        self.size = size
        self.weight = weight
        self.maxWidth = maxWidth
        self.maxLines = maxLines
        self.alignment = alignment
        self.lineSpacing = lineSpacing
        self.tabularDigits = tabularDigits
    }
}

/// A painted text and where its pixels lie. All lengths are pixels.
public struct Label: Sendable, Equatable {
    /// Ink only, A8; nil when the text has no ink (empty, spaces).
    public var image: RasterImage?
    /// The ink's left edge, from the left edge of the text box.
    public var inkX: Int
    /// The ink's top edge, from the top of the text box.
    public var inkY: Int
    /// The text box: the advance of the longest line, and all lines' heights.
    public var width: Int
    public var height: Int
    /// The first line's baseline, from the top of the text box.
    public var baseline: Int
    /// The last line's baseline, from the top of the text box.
    public var lastBaseline: Int
    public var lines: Int
    /// Cut with an ellipsis.
    public var truncated: Bool
    /// The first line runs from right to left.
    public var rightToLeft: Bool
}

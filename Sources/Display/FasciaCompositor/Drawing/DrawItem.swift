import FasciaScene

/// One layer ready to paint: everything resolved to pixels of the screen. Two equal items paint the same pixels.
struct DrawItem: Equatable {
    enum Content: Equatable {
        case none
        case solid(Color)
        case image(StoredImage, tint: Color)
        case gradient(top: Color, bottom: Color)

        static func == (one: Content, other: Content) -> Bool {
            switch (one, other) {
            case (.none, .none): true
            case (.solid(let a), .solid(let b)): a == b
            case (.image(let a, let tintA), .image(let b, let tintB)): a === b && tintA == tintB
            case (.gradient(let a, let b), .gradient(let c, let d)): a == c && b == d
            default: false
            }
        }
    }

    /// Scene index in the upper, layer id in the lower half.
    let key: UInt64
    /// Where the layer lies.
    let frame: PixelRect
    /// What of it can be seen at all: rotated bounds cut to every clip and the screen.
    let visible: PixelRect
    /// 0 to 255, not 0.
    let opacity: UInt8
    let content: Content
    let cornerRadius: Float
    let rotation: Float
    let borderWidth: Int
    let borderColor: Color

    /// Hides everything below `visible`.
    var isOpaque: Bool {
        guard opacity == 255, cornerRadius == 0, rotation == 0 else { return false }
        return switch content {
        case .none: false
        case .solid(let color): color.alpha == 255
        case .image(let image, _): image.isOpaque
        case .gradient(let top, let bottom): top.alpha == 255 && bottom.alpha == 255
        }
    }
}

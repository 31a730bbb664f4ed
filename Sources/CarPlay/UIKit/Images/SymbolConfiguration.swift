extension UIImage {
    /// How an image or symbol wants to be drawn. Kept, but templates decide sizes themselves, so it changes nothing.
    open class Configuration: NSObject, @unchecked Sendable {}

    public final class SymbolConfiguration: Configuration, @unchecked Sendable {
        public let pointSize: CGFloat?

        private init(points: CGFloat?) {
            pointSize = points
            super.init()
        }

        public convenience init(pointSize: CGFloat) { self.init(points: pointSize) }
        public convenience init(pointSize: CGFloat, weight: SymbolWeight) { self.init(points: pointSize) }
        public convenience init(pointSize: CGFloat, weight: SymbolWeight, scale: SymbolScale) { self.init(points: pointSize) }
        public convenience init(weight: SymbolWeight) { self.init(points: nil) }
        public convenience init(scale: SymbolScale) { self.init(points: nil) }
        public convenience init(hierarchicalColor: UIColor) { self.init(points: nil) }
        public convenience init(paletteColors: [UIColor]) { self.init(points: nil) }
    }

    public enum SymbolWeight: Int, Sendable { case unspecified, ultraLight, thin, light, regular, medium, semibold, bold, heavy, black }
    public enum SymbolScale: Int, Sendable { case `default` = -1, unspecified, small, medium, large }
}

/// Why something could not be painted, in words for a log or a person.
public struct PaintError: Error, Sendable, CustomStringConvertible {
    public struct Code: RawRepresentable, Hashable, Sendable {
        public var rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        /// A font the screens are designed with is not installed.
        public static let missingFont = Code(rawValue: "missing-font")
        /// The bytes are no image, or a broken one.
        public static let corruptImage = Code(rawValue: "corrupt-image")
        /// An image of a format that is not decoded.
        public static let unsupportedImage = Code(rawValue: "unsupported-image")
        /// More than one frame. Car screens show stills (CarPlay refuses animated GIFs too).
        public static let animatedImage = Code(rawValue: "animated-image")
        /// More pixels or bytes than `ImageLimits` allow.
        public static let imageTooLarge = Code(rawValue: "image-too-large")
    }

    public var code: Code
    public var description: String

    public init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}

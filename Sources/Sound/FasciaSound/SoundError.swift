/// Why sound could not be made or taken.
public struct SoundError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong. Compare with the static members; more may come.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        public let description: String
        private init(_ description: String) { self.description = description }

        /// Not a format of spec/sound.md.
        public static let format = Code("format")
        /// More streams than a head unit mixes.
        public static let tooManyStreams = Code("tooManyStreams")
        /// The number is in use on its route.
        public static let reusedStream = Code("reusedStream")
        /// Bytes that are no packet of the stream's format.
        public static let malformedPacket = Code("malformedPacket")
        /// The codec or resampler gave up; the detail is its own words.
        public static let library = Code("library")
        /// A file could not be read, or is not sound.
        public static let file = Code("file")
        /// No sound device, or it failed.
        public static let device = Code("device")
    }

    public let code: Code
    public let detail: String

    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    public var description: String { detail }
}

/// Why a display message of the peer's was refused. Nothing of the message was applied.
public struct DisplayError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong. Compare with the static members; more may come.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        public let description: String
        private init(_ description: String) { self.description = description }

        // Of a resource (spec 10.2); `overBudget` closes with RESOURCES_EXHAUSTED, the others with BAD_RESOURCE.
        public static let malformedResource = Code("malformedResource")
        public static let unknownFormat = Code("unknownFormat")
        public static let badDimensions = Code("badDimensions")
        public static let lengthMismatch = Code("lengthMismatch")
        public static let decompressionFailed = Code("decompressionFailed")
        public static let hashMismatch = Code("hashMismatch")
        public static let overBudget = Code("overBudget")
        public static let reusedIdentifier = Code("reusedIdentifier")

        // Of a commit (spec 10.4), all BAD_COMMIT.
        public static let sequenceOutOfOrder = Code("sequenceOutOfOrder")
        public static let zeroIdentifier = Code("zeroIdentifier")
        public static let notFinite = Code("notFinite")
        public static let outOfRange = Code("outOfRange")
        public static let tooManyLayers = Code("tooManyLayers")
        public static let tooManyAnimations = Code("tooManyAnimations")
        public static let tooDeep = Code("tooDeep")
        public static let missingParent = Code("missingParent")
        public static let cycle = Code("cycle")
        public static let tooMuchDrawing = Code("tooMuchDrawing")
        public static let unknownResource = Code("unknownResource")
    }

    public let code: Code
    /// Which id, which field, which figures.
    public let detail: String
    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }
    public var description: String { "\(code): \(detail)" }
}

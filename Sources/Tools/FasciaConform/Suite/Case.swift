import FasciaRawPeer

/// One requirement, or a few, tried on a live endpoint.
struct Case<Rig>: Sendable {
    /// Of spec/link.md: `8.5`; of another: `sound 4.1`.
    let section: String
    /// Requirement ids: `L-2`.
    let ids: [String]
    let title: String
    /// - Throws: `Deviation` for what the specification does not allow.
    let run: @Sendable (Rig) throws -> Void

    init(_ section: String, _ ids: String..., title: String, run: @escaping @Sendable (Rig) throws -> Void) {
        (self.section, self.ids, self.title, self.run) = (section, ids, title, run)
    }

    init(section: String, ids: [String], title: String, run: @escaping @Sendable (Rig) throws -> Void) {
        (self.section, self.ids, self.title, self.run) = (section, ids, title, run)
    }
}

/// The end that is examined.
public enum Role: String, Sendable, Codable, CaseIterable {
    case phone
    case headunit
}

/// A case without its code: what lists and reports show.
public struct CaseSummary: Sendable, Codable {
    public let role: Role
    public let section: String
    public let ids: [String]
    public let title: String
}

/// What came of a case.
public struct CaseResult: Sendable, Codable {
    public let section: String
    public let ids: [String]
    public let title: String
    public let passed: Bool
    /// What was found instead, when it did not pass.
    public let detail: String?
    public let milliseconds: Double
}

/// Requirements that no connection can show, and what shows them instead.
public struct Elsewhere: Sendable, Codable {
    public let id: String
    public let why: String
    /// A test of this repository: `Suite/test`.
    public let shownBy: String
}

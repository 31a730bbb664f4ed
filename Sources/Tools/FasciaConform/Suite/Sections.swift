/// A section number that sorts as people read it: 8.10 comes after 8.9.
struct SectionNumber: Comparable {
    let parts: [Int]

    init(_ text: String) { parts = text.split(separator: ".").map { Int($0) ?? 0 } }

    static func < (left: SectionNumber, right: SectionNumber) -> Bool { left.parts.lexicographicallyPrecedes(right.parts) }
}

/// A section number that sorts as people read it: 8.10 comes after 8.9, and documents beside spec/link.md, as in `sound 4.1`, after it.
struct SectionNumber: Comparable {
    let parts: [Int]

    init(_ text: String) {
        let words = text.split(separator: " ")
        let document = words.count > 1 ? ["link", "ownership", "sound"].firstIndex(of: words[0]) ?? 3 : 0
        parts = [document] + (words.last ?? "").split(separator: ".").map { Int($0) ?? 0 }
    }

    static func < (left: SectionNumber, right: SectionNumber) -> Bool { left.parts.lexicographicallyPrecedes(right.parts) }
}

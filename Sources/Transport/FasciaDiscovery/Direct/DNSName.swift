import CResolver

/// A domain name as it is on the wire: labels behind their lengths, then a zero; at most 255 bytes, never compressed.
package struct DNSName: Sendable {
    let wire: [UInt8]

    /// Nil for labels that are empty or longer than 63 bytes, or too many.
    init?(labels: [[UInt8]]) {
        guard labels.allSatisfy({ (1...63).contains($0.count) }) else { return nil }
        wire = labels.flatMap { [UInt8($0.count)] + $0 } + [0]
        guard wire.count <= Int(NS_MAXCDNAME) else { return nil }
    }

    /// From the written form, with `\` before dots that are no separators.
    init?(_ text: String) {
        var buffer = [UInt8](repeating: 0, count: Int(NS_MAXCDNAME))
        guard ns_name_pton(text, &buffer, buffer.count) >= 0 else { return nil }
        var end = 0
        while end < buffer.count, buffer[end] != 0 { end += Int(buffer[end]) + 1 }
        guard end < buffer.count else { return nil }
        wire = Array(buffer[...end])
    }

    /// A service of ours: one label, whatever characters it has.
    static func service(_ instance: String) -> DNSName? { DNSName(labels: [Array(instance.utf8)] + typeLabels) }
    static let type = DNSName(labels: typeLabels)
    private static let typeLabels = Advertisement.serviceType.split(separator: ".").map { Array($0.utf8) } + [Array("local".utf8)]

    /// The written form in lower case, to compare by: names are equal without regard to the case of ASCII letters.
    var comparable: String? {
        var buffer = [CChar](repeating: 0, count: Int(NS_MAXDNAME))
        guard ns_name_ntop(wire, &buffer, buffer.count) >= 0 else { return nil }
        return DNSRecord.text(buffer)
    }
}

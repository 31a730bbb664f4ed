import CResolver

/// Writes the two messages discovery sends itself. Names are written whole: glibc's `res_mkquery` takes one question of written
/// text, where an instance name is any bytes and two questions fit one message.
///
///     0    2     4    6    8    10   12
///     | id |flags| QD | AN | NS | AR | questions, records
struct DNSWriter {
    private(set) var bytes: [UInt8]

    /// A question; `id` comes back in the answer.
    static func query(id: UInt16, _ questions: [(name: DNSName, type: __ns_type)]) -> [UInt8] {
        var writer = DNSWriter(id: id, flags: 0, questions: questions.count, answers: 0)
        for (name, type) in questions {
            writer.bytes += name.wire
            writer.add(UInt16(type.rawValue))
            writer.add(0x8001) // IN, unicast response wanted (RFC 6762, 5.4)
        }
        return writer.bytes
    }

    /// An unsolicited response (RFC 6762, 8.3).
    static func announcement(_ records: [Record]) -> [UInt8] {
        var writer = DNSWriter(id: 0, flags: 0x8400, questions: 0, answers: records.count)
        for record in records {
            writer.bytes += record.name.wire
            writer.add(UInt16(record.type.rawValue))
            writer.add(record.isUnique ? 0x8001 : 0x0001)
            writer.add(UInt16(record.lifetime >> 16))
            writer.add(UInt16(truncatingIfNeeded: record.lifetime))
            writer.add(UInt16(clamping: record.data.count))
            writer.bytes += record.data
        }
        return writer.bytes
    }

    struct Record {
        let name: DNSName
        let type: __ns_type
        /// This host alone has records of this name and type: older ones are forgotten.
        let isUnique: Bool
        /// Seconds.
        let lifetime: UInt32
        let data: [UInt8]
    }

    private init(id: UInt16, flags: UInt16, questions: Int, answers: Int) {
        bytes = []
        for field in [id, flags, UInt16(clamping: questions), UInt16(clamping: answers), 0, 0] { add(field) }
    }

    private mutating func add(_ value: UInt16) { bytes += [UInt8(value >> 8), UInt8(truncatingIfNeeded: value)] }
}

import CResolver

/// A resource record of a message that came, as far as discovery understands it.
package struct DNSRecord: Sendable, Equatable {
    package enum Value: Sendable, Equatable {
        case address([UInt8])
        case service(port: UInt16, host: String)
        case text([[UInt8]])
    }

    /// In written form, lower case.
    package let name: String
    package let value: Value

    /// Records kept of a message.
    static let maximumRecords = 64

    /// The answers of a message, wherever they stand in it: none when it is no response to `id`, or broken. Offsets, lengths and
    /// compression are checked by glibc (`ns_initparse`, `ns_parserr`, `ns_name_uncompress`).
    package static func answers(in message: [UInt8], id: UInt16? = nil) -> [DNSRecord] {
        message.withUnsafeBufferPointer { bytes in
            var handle = ns_msg()
            guard let base = bytes.baseAddress, ns_initparse(base, Int32(clamping: bytes.count), &handle) == 0 else { return [] }
            let isResponse = handle._flags & 0x8000 != 0, code = handle._flags & 0x000F
            guard isResponse, code == 0, id == nil || handle._id == id else { return [] }
            var records: [DNSRecord] = []
            for (section, count) in [(ns_s_an, handle._counts.1), (ns_s_ar, handle._counts.3)] {
                for index in 0..<Int32(count) {
                    var record = ns_rr()
                    guard records.count < maximumRecords, ns_parserr(&handle, section, index, &record) == 0 else { break }
                    if let known = DNSRecord(record, in: bytes) { records.append(known) }
                }
            }
            return records
        }
    }

    private init?(_ record: ns_rr, in message: UnsafeBufferPointer<UInt8>) {
        // The top bit is mDNS' cache-flush (RFC 6762, 10.2).
        guard record.rr_class & 0x7FFF == 1, let start = record.rdata, let base = message.baseAddress else { return nil }
        let data = UnsafeBufferPointer(start: start, count: Int(record.rdlength))
        switch record.type {
        case UInt16(ns_t_a.rawValue):
            guard data.count == 4 else { return nil }
            value = .address(Array(data))
        case UInt16(ns_t_aaaa.rawValue):
            guard data.count == 16 else { return nil }
            value = .address(Array(data))
        case UInt16(ns_t_srv.rawValue):
            var host = [CChar](repeating: 0, count: Int(NS_MAXDNAME))
            guard data.count > 6, ns_name_uncompress(base, base + message.count, start + 6, &host, host.count) == data.count - 6 else { return nil }
            value = .service(port: UInt16(data[4]) << 8 | UInt16(data[5]), host: Self.text(host))
        case UInt16(ns_t_txt.rawValue):
            value = .text(Self.entries(data))
        default: return nil
        }
        name = withUnsafeBytes(of: record.name) { raw in Self.text(raw.bindMemory(to: CChar.self)) }
    }

    /// The character strings of a TXT record; a cut one ends it.
    private static func entries(_ data: UnsafeBufferPointer<UInt8>) -> [[UInt8]] {
        var entries: [[UInt8]] = []
        var position = 0
        while position < data.count, entries.count < ServiceText.maximumEntries {
            let end = position + 1 + Int(data[position])
            guard end <= data.count else { break }
            entries.append(Array(data[(position + 1)..<end]))
            position = end
        }
        return entries
    }

    static func text(_ written: some Sequence<CChar>) -> String {
        String(decoding: written.prefix { $0 != 0 }.map { (0x41...0x5A).contains($0) ? UInt8(bitPattern: $0 + 0x20) : UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

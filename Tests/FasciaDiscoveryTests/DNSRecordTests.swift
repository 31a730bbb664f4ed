import CResolver
@testable import FasciaDiscovery
import Testing

@Suite struct DNSRecordTests {
    /// A response by our own writer is read back, names compressed or not.
    private func message(port: UInt16 = 7000, id: UInt16 = 0) throws -> [UInt8] {
        let service = try #require(DNSName.service("My.Car 00")), host = try #require(DNSName("Head-Unit.local"))
        var bytes = DNSWriter.announcement([
            .init(name: service, type: ns_t_srv, isUnique: true, lifetime: 120, data: [0, 0, 0, 0, UInt8(port >> 8), UInt8(port & 0xFF)] + host.wire),
            .init(name: service, type: ns_t_txt, isUnique: true, lifetime: 4500, data: [3] + Array("v=1".utf8) + [7] + Array("name=MC".utf8)),
            .init(name: host, type: ns_t_a, isUnique: false, lifetime: 120, data: [10, 0, 0, 7]),
        ])
        (bytes[0], bytes[1]) = (UInt8(id >> 8), UInt8(id & 0xFF))
        return bytes
    }

    @Test func anAnswerBecomesACar() throws {
        let records = DNSRecord.answers(in: try message())
        let name = try #require(DNSName.service("My.Car 00")?.comparable)
        #expect(name == "my\\.car\\03200._fascia._tcp.local")
        let car = try #require(DiscoveredCar(instance: "My.Car 00", comparable: name, records: records, sender: [10, 0, 0, 9]))
        #expect(car.host == "10.0.0.7")
        #expect(car.port == 7000)
        #expect(car.hostName == "head-unit.local")
        #expect(car.txt.values == ["v": "1", "name": "MC"])
        // Without address records it is the sender.
        #expect(DiscoveredCar(instance: "My.Car 00", comparable: name, records: Array(records.prefix(2)), sender: [10, 0, 0, 9])?.host == "10.0.0.9")
        #expect(DiscoveredCar(instance: "Other", comparable: "other", records: records, sender: [10, 0, 0, 9]) == nil)
    }

    @Test func onlyResponsesToTheQuestionCount() throws {
        #expect(DNSRecord.answers(in: try message(id: 7), id: 8) == [])
        #expect(DNSRecord.answers(in: try message(id: 7), id: 7).count == 3)
        let query = DNSWriter.query(id: 7, [(try #require(DNSName.type), ns_t_ptr)])
        #expect(DNSRecord.answers(in: query, id: 7) == [])
        #expect(try DiscoveredCar(instance: "My.Car 00", comparable: "my\\.car\\03200._fascia._tcp.local", records: DNSRecord.answers(in: message(port: 0)), sender: [1, 2, 3, 4]) == nil)
    }

    @Test func brokenMessagesGiveNothingAndEndWell() throws {
        let whole = try message()
        for cut in 0..<whole.count { #expect(DNSRecord.answers(in: Array(whole[..<cut])).count < 3) }
        for position in whole.indices {
            for value in [0, 0x3F, 0xC0, 0xFF] as [UInt8] {
                var broken = whole
                broken[position] = value
                #expect(DNSRecord.answers(in: broken).count <= 3)
            }
        }
        // A name that points at itself.
        #expect(DNSRecord.answers(in: [0, 0, 0x84, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0xC0, 12, 0, 33, 0, 1, 0, 0, 0, 1, 0, 7, 0, 0, 0, 0, 0, 1, 0]) == [])
    }

    @Test func instanceNamesAreUniqueAndFit() {
        #expect(Advertisement.instance(name: "Volvo", fingerprint: [UInt8](repeating: 0x1F, count: 32)) == "Volvo 1f1f1f1f1f1f1f1f")
        let long = Advertisement.instance(name: String(repeating: "車", count: 40), fingerprint: [UInt8](repeating: 0, count: 32))
        #expect(long == String(repeating: "車", count: 15) + " 0000000000000000")
        #expect(Advertisement(name: "Plain", port: 1, txt: [:]).instance == "Plain")
        #expect(Advertisement(name: "Plain", port: 1, txt: ["id": "not an id"]).instance == "Plain")
    }
}

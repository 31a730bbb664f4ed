@testable import FasciaDiscovery
import Testing

@Suite struct ServiceTextTests {
    @Test func theCarAdvertisement() {
        let car = Advertisement(name: "Volvo", port: 7000, fingerprint: (0..<32).map { UInt8($0) }, pairing: true)
        #expect(car.txt.values == ["v": "1", "id": "0001020304050607", "name": "Volvo", "pair": "1"])
        #expect(car.txt.entries.map { String(decoding: $0, as: UTF8.self) } == ["id=0001020304050607", "name=Volvo", "pair=1", "v=1"])
    }

    @Test func whatPeersSendIsBoundedAndRepaired() {
        let text = ServiceText(entries: [
            Array("V=1".utf8), Array("v=2".utf8), Array("flag".utf8), Array("=novalue".utf8), [], [0x61, 0x0A, 0x3D, 0x31],
            Array("name=".utf8) + [0xFF, 0xFE, 0x41], Array("long=".utf8) + [UInt8](repeating: 0x41, count: 300), Array("eq=a=b".utf8),
        ])
        #expect(text.values == ["v": "1", "flag": "", "name": "\u{FFFD}\u{FFFD}A", "eq": "a=b"])
        let many = ServiceText(entries: (0..<1000).map { Array("k\($0)=x".utf8) })
        #expect(many.values.count == ServiceText.maximumEntries)
    }

    @Test func aLongValueIsCutBetweenCharacters() throws {
        let entry = try #require(ServiceText(dictionaryLiteral: ("name", String(repeating: "車", count: 100))).entries.first)
        #expect(entry.count == 5 + 249) // 83 characters of 3 bytes; one more would not fit 255
        #expect(String(validating: entry, as: UTF8.self) != nil)
    }

    @Test(arguments: [
        ("Fascia", "Fascia"), ("  My car \n", "My car"), ("", "Fascia"), ("\u{0}\u{7}", "Fascia"), ("Авто 🚗", "Авто 🚗"),
        (String(repeating: "é", count: 40), String(repeating: "é", count: 31)), ("a.b\\c", "a.b\\c"),
    ])
    func namesBecomeLegalLabels(name: String, legal: String) { #expect(ServiceName.legal(name) == legal) }

    @Test func addressesOfOneCarAreMerged() {
        func service(_ address: String, ipv4: Bool) -> ResolvedService {
            ResolvedService(hostName: "h.local", address: address, isIPv4: ipv4, port: 7000, text: ["id": "ABCDEF0123456789", "pair": "1", "v": "1,2,x"])
        }
        let car = DiscoveredCar(name: "Car", seen: [
            ServiceInstance(name: "Car", interface: 1, protocol: 1): service("::1", ipv4: false),
            ServiceInstance(name: "Car", interface: 2, protocol: 0): service("10.0.0.2", ipv4: true),
            ServiceInstance(name: "Car", interface: 1, protocol: 0): service("127.0.0.1", ipv4: true),
        ])
        #expect(car?.addresses == ["127.0.0.1", "10.0.0.2", "::1"])
        #expect(car?.host == "127.0.0.1")
        #expect(car?.id == "abcdef0123456789")
        #expect(car?.acceptsPairing == true)
        #expect(car?.versions == [1, 2])
        #expect(DiscoveredCar(name: "Car", seen: [:]) == nil)
    }
}

@Suite struct DiscoveryOptionsTests {
    @Test func theEnvironmentFillsIn() throws {
        let environment = ["FASCIA_MDNS_INTERFACE": "lo", "FASCIA_MDNS_BACKEND": "embedded"]
        #expect(try DiscoveryOptions.resolve(environment: environment) == DiscoveryOptions(interface: "lo", backend: .embedded))
        #expect(try DiscoveryOptions.resolve(interface: "eth1", backend: .daemon, environment: environment) == DiscoveryOptions(interface: "eth1", backend: .daemon))
        #expect(try DiscoveryOptions.resolve(environment: ["FASCIA_MDNS_BACKEND": "auto", "FASCIA_MDNS_INTERFACE": ""]) == DiscoveryOptions())
        #expect { try DiscoveryOptions.resolve(environment: ["FASCIA_MDNS_BACKEND": "bonjour"]) } throws: { "\($0)".contains("auto, daemon, embedded") }
    }
}

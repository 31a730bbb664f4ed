import FasciaCarrier
import FasciaEvents
import FasciaTLS
import FasciaTrust
import Foundation
import Testing

@testable import FasciaPhone

@MainActor @Suite struct CarFinderTests {
    let trust: TrustStore
    let address = CarrierAddress(host: "127.0.0.1", port: 7000)

    init() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("fascia-finder-\(UUID().uuidString)").path
        trust = try TrustStore(StateDirectory(path: path))
    }

    func finder(_ car: PhoneConfiguration.Car) throws -> CarFinder {
        CarFinder(car: car, trust: trust, events: try EventLog(path: nil, narrate: { _ in }))
    }

    func pair(_ byte: UInt8) throws {
        let fingerprint = try #require(Fingerprint(bytes: [UInt8](repeating: byte, count: 32)))
        try trust.add(TrustedPeer(name: "Car", fingerprint: fingerprint, lastAddress: address.description))
    }

    @Test(arguments: [PhoneConfiguration.Car.named("Car"), .address(CarrierAddress(host: "127.0.0.1", port: 7000))])
    func carWithANewKeyIsTheOnePairedLast(_ car: PhoneConfiguration.Car) throws {
        defer { try? FileManager.default.removeItem(atPath: trust.directory.path) }
        let finder = try finder(car)
        #expect(finder.pinnedPeer() == nil)
        for byte: UInt8 in [1, 2, 1] {
            try pair(byte)
            #expect(finder.pinnedPeer()?.fingerprint.bytes.first == byte)
        }
    }
}

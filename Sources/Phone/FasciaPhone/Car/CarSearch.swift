import FasciaCarrier
import FasciaDiscovery
import Foundation
import Logging

/// Looks for cars for a limited time, for commands that list or name them.
public enum CarSearch {
    /// Every car that showed up, by name.
    public static func all(for duration: Duration, log: Logger) async throws -> [DiscoveredCar] {
        let browser = Browser(options: try .resolve(environment: ProcessInfo.processInfo.environment), logger: log)
        try browser.start()
        defer { browser.stop() }
        try await Task.sleep(for: duration)
        return browser.cars
    }

    /// Where the car is.
    /// - Throws: `PhoneError.carNotFound` when its name did not show up in time.
    public static func address(of car: PhoneConfiguration.Car, within limit: Duration, log: Logger) async throws -> CarrierAddress {
        let name: String
        switch car {
        case .address(let address): return address
        case .named(let wanted): name = wanted
        }
        let browser = Browser(options: try .resolve(environment: ProcessInfo.processInfo.environment), logger: log)
        try browser.start()
        let alarm = Task {
            try await Task.sleep(for: limit)
            browser.stop()
        }
        defer {
            alarm.cancel()
            browser.stop()
        }
        var others: Set<String> = []
        for await case .found(let car) in browser.events {
            if car.name == name || car.displayName == name { return CarrierAddress(host: car.host, port: Int(car.port)) }
            others.insert(car.displayName)
        }
        throw PhoneError.carNotFound(name, seconds: Int(limit.components.seconds), others: others)
    }
}

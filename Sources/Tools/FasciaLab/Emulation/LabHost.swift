/// One of the two hosts of a lab.
public enum LabHost: String, CaseIterable, Codable, Sendable {
    case car, phone

    public var other: LabHost { self == .car ? .phone : .car }
    /// Of its only interface besides loopback.
    public var address: String { self == .car ? "10.77.0.1" : "10.77.0.2" }
    var hardwareAddress: String { self == .car ? "02:fa:5c:1a:00:01" : "02:fa:5c:1a:00:02" }
}

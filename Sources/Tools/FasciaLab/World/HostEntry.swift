import CLabSystem
import Foundation

/// Turns this process into a program on a host.
enum HostEntry {
    /// Each host has its own system bus, also where no daemon runs on it: nothing of the machine's is seen.
    static func binds(_ place: LabPlace, _ host: LabHost) -> [(String, String)] {
        [(place.dbus(host), "/run/dbus"), (place.avahi(host), "/run/avahi-daemon")]
    }

    static func become(_ place: LabPlace, network: Int32, host: LabHost, program: String, arguments: [String]) throws(LabError) -> Never {
        var step: UnsafePointer<CChar>?
        let entered = HostSpawn.withBinds(binds(place, host)) { fascia_host_enter(network, $0.baseAddress, $0.count, &step) }
        guard entered == 0 else { throw .system("cannot enter the \(host.rawValue) (\(step.map { String(cString: $0) } ?? ""))") }
        for name in ["DBUS_SYSTEM_BUS_ADDRESS", "DBUS_SESSION_BUS_ADDRESS"] { unsetenv(name) }
        setenv("FASCIA_MDNS_INTERFACE", Lab.interface, 1)
        setenv("FASCIA_CONFINED", "1", 1) // mDNS goes to the other host and no further
        setenv("FASCIA_LAB", place.name, 1)
        setenv("FASCIA_LAB_HOST", host.rawValue, 1)
        var strings = ([program] + arguments).map { strdup($0) } + [nil]
        fascia_become(program, &strings)
        throw LabError(.cannotRun, "cannot run \(program): \(String(cString: strerror(errno)))")
    }
}

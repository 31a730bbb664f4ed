import Foundation

/// D-Bus and avahi-daemon of one host; children of this process, which nobody else waits for.
struct HostDaemons {
    private let host: LabHost
    private let dbus: pid_t
    private let avahi: pid_t
    private let avahiLog: String
    let processes: [ProcessIdentity]

    init(_ network: HostNetwork, place: LabPlace, log: Int32) throws(LabError) {
        host = network.host
        let directory = place.directory(of: host)
        let bus = directory + "/dbus.conf", settings = directory + "/avahi.conf", services = directory + "/services"
        avahiLog = directory + "/avahi.log"
        do {
            try Self.busSettings.write(toFile: bus, atomically: false, encoding: .utf8)
            try Self.avahiSettings(host).write(toFile: settings, atomically: false, encoding: .utf8)
        } catch { throw LabError(.failed, "cannot write into \(directory): \(error)") }
        mkdir(services, 0o755)

        dbus = try HostSpawn.start(["dbus-daemon", "--nofork", "--nopidfile", "--config-file=\(bus)"], on: network, place: place, binds: [], output: log)
        let socket = place.dbus(host) + "/system_bus_socket"
        guard Self.wait({ access(socket, F_OK) == 0 }) else { throw LabError(.failed, "D-Bus of the \(host.rawValue) does not start; see \(place.log)") }
        let output = open(avahiLog, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o644)
        guard output >= 0 else { throw .system("cannot write \(avahiLog)") }
        defer { close(output) }
        // Services of this machine are not the host's.
        let binds = access("/etc/avahi/services", F_OK) == 0 ? [(services, "/etc/avahi/services")] : []
        avahi = try HostSpawn.start(["avahi-daemon", "--no-drop-root", "--no-chroot", "--no-rlimits", "--file=\(settings)"], on: network, place: place,
                                    binds: binds, output: output)
        processes = [ProcessIdentity(pid: dbus, name: "dbus-daemon"), ProcessIdentity(pid: avahi, name: "avahi-daemon")].compactMap(\.self)
    }

    func waitUntilReady(_ end: EndSignal) throws(LabError) {
        let ready = Self.wait {
            if end.isRaised { return true }
            return (try? String(contentsOfFile: avahiLog, encoding: .utf8))?.contains("Server startup complete") == true
        }
        guard ready else {
            let last = (try? String(contentsOfFile: avahiLog, encoding: .utf8))?.split(separator: "\n").last ?? "no word"
            throw LabError(.failed, "the avahi-daemon of the \(host.rawValue) does not start: \(last)")
        }
    }

    func end() {
        // avahi-daemon says goodbye to the other host; the bus may have been started with SIGTERM blocked, and has nothing to save.
        for (pid, signal) in [(avahi, SIGTERM), (dbus, SIGKILL)] {
            kill(pid, signal)
            var status: Int32 = 0
            if !Self.wait({ waitpid(pid, &status, WNOHANG) != 0 }) {
                kill(pid, SIGKILL)
                waitpid(pid, &status, 0)
            }
        }
    }

    private static func wait(_ condition: () -> Bool) -> Bool {
        let deadline = Date().addingTimeInterval(10)
        while !condition() {
            guard Date() < deadline else { return false }
            usleep(5_000)
        }
        return true
    }

    private static let busSettings = """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>system</type>
          <listen>unix:path=/run/dbus/system_bus_socket</listen>
          <auth>EXTERNAL</auth>
          <policy context="default">
            <allow own="*"/><allow send_destination="*"/><allow receive_sender="*"/><allow user="*"/>
          </policy>
        </busconfig>

        """

    private static func avahiSettings(_ host: LabHost) -> String {
        """
        [server]
        host-name=fascia-\(host.rawValue)
        use-ipv6=no
        allow-interfaces=\(Lab.interface)
        disallow-other-stacks=no
        [wide-area]
        enable-wide-area=no
        [publish]
        publish-hinfo=no
        publish-workstation=no

        """
    }
}

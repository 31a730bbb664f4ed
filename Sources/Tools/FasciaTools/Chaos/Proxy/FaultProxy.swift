import FasciaProcesses
import Foundation

/// Stands between phone and head unit: the phone dials its address, it dials the head unit's.
final class FaultProxy {
    enum Mode {
        case forward
        /// Connections are taken by the kernel and stay silent.
        case blackhole
        /// Nobody listens.
        case refuse
    }

    private let reactor: Reactor
    let port: Int
    private var listener: Int32 = -1
    private var source: Reactor.Source?
    private(set) var connections: [ProxiedConnection] = []
    /// For the next connections, one each; then none.
    private var waiting: [ProxyRule] = []
    private var mode = Mode.forward
    /// Where the head unit listens.
    var upstream = 0
    /// Last octet of 127.0.0.x, the address the phone seems to come from.
    var phoneOctet = 1
    /// A rule was applied.
    var onRule: (ProxyRule) -> Void = { _ in }
    private(set) var accepted = 0

    init(reactor: Reactor) throws {
        self.reactor = reactor
        (listener, port) = try Self.listen(port: 0)
        watch()
    }

    /// - Parameter rules: for the next connections, one each.
    func breakNext(_ rules: [ProxyRule]) { waiting = rules }
    var rulesLeft: Int { waiting.count }

    /// To the connections there are.
    func apply(_ rule: ProxyRule) { for connection in connections { connection.set(rule) } }

    /// Rules that wait for bytes which do not come are applied now.
    func hurry() { for connection in connections { connection.apply() } }

    func set(_ mode: Mode) throws {
        guard self.mode != mode else { return }
        let before = self.mode
        self.mode = mode
        if mode == .refuse {
            unwatch()
            close(listener)
        } else if before == .refuse {
            (listener, _) = try Self.listen(port: port)
            watch()
        }
        source?.wantsReading = mode == .forward
    }

    /// All connections there are.
    func cut(reset: Bool) { for connection in connections { connection.close(reset: reset) } }
    func blackholeAll() { for connection in connections { connection.blackhole() } }
    func resumeAll() { for connection in connections { connection.resume() } }

    /// Everything passes again, rules that did not come to pass are gone.
    func heal() throws {
        waiting = []
        try set(.forward)
    }

    func shutDown() {
        cut(reset: true)
        if mode != .refuse {
            unwatch()
            close(listener)
        }
    }

    private func watch() { source = reactor.add(listener) { [unowned self] _, _ in accept() } }

    private func unwatch() {
        if let source { reactor.remove(source) }
        source = nil
    }

    private func accept() {
        while true {
            let phone = Foundation.accept(listener, nil, nil)
            guard phone >= 0 else { return }
            accepted += 1
            let car = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            for descriptor in [phone, car] { Self.prepare(descriptor) }
            var from = Self.address(octet: phoneOctet, port: 0), to = Self.address(octet: 1, port: upstream)
            _ = Self.with(&from) { bind(car, $0, $1) }
            guard Self.with(&to, { connect(car, $0, $1) }) == 0 || errno == EINPROGRESS else {
                close(phone)
                close(car)
                continue
            }
            let rule = waiting.isEmpty ? nil : waiting.removeFirst()
            connections.append(ProxiedConnection(phone: phone, car: car, rule: rule, reactor: reactor, onRule: { [unowned self] in onRule($0) },
                                                 onClose: { [unowned self] closed in connections.removeAll { $0 === closed } }))
        }
    }

    private static func listen(port: Int) throws -> (Int32, Int) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        var own = address(octet: 1, port: port)
        guard descriptor >= 0, with(&own, { bind(descriptor, $0, $1) }) == 0, Foundation.listen(descriptor, 64) == 0 else {
            let reason = String(cString: strerror(errno))
            close(descriptor)
            throw ToolError("the proxy cannot listen on 127.0.0.1:\(port): \(reason)")
        }
        prepare(descriptor)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &own) { $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) } }
        return (descriptor, Int(in_port_t(bigEndian: own.sin_port)))
    }

    private static func prepare(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        var yes: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func address(octet: Int, port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(truncatingIfNeeded: port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0000 | UInt32(octet & 0xff)).bigEndian
        return address
    }

    private static func with(_ address: inout sockaddr_in, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_in>.size)) }
        }
    }
}

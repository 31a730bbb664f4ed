import Foundation

/// One TCP connection through the proxy: two sockets, and a rule to break them by.
final class ProxiedConnection {
    private final class Side {
        let descriptor: Int32
        var source: Reactor.Source?
        /// To be written to this socket.
        var pending: ArraySlice<UInt8> = []
        var sawEnd = false
        var finishWhenWritten = false
        init(_ descriptor: Int32) { self.descriptor = descriptor }
    }

    private static let mostPending = 1 << 18
    private let reactor: Reactor
    private let phone: Side
    private let car: Side
    private var connecting = true
    private(set) var isClosed = false
    private(set) var isBlackhole = false
    private var isStalled = false
    private var passed: [ProxyRule.Direction: Int] = [.up: 0, .down: 0]
    private var rule: ProxyRule?
    private let onRule: (ProxyRule) -> Void
    private let onClose: (ProxiedConnection) -> Void

    /// Bytes that went through so far.
    var traffic: (up: Int, down: Int) { (passed[.up] ?? 0, passed[.down] ?? 0) }

    init(phone: Int32, car: Int32, rule: ProxyRule?, reactor: Reactor, onRule: @escaping (ProxyRule) -> Void, onClose: @escaping (ProxiedConnection) -> Void) {
        (self.phone, self.car, self.rule, self.reactor, self.onRule, self.onClose) = (Side(phone), Side(car), rule, reactor, onRule, onClose)
        self.phone.source = reactor.add(phone) { [unowned self] readable, writable in ready(self.phone, readable, writable) }
        self.car.source = reactor.add(car) { [unowned self] readable, writable in ready(self.car, readable, writable) }
        update()
    }

    /// Counts from here on.
    func set(_ rule: ProxyRule) {
        self.rule = rule
        if let bytes = self.rule?.bytes { self.rule?.bytes = bytes + (passed[rule.direction] ?? 0) }
        if rule.bytes == 0 { apply() }
    }

    /// The rule is applied now, however many bytes there were.
    func apply() {
        guard let rule, !isClosed else { return }
        self.rule = nil
        onRule(rule)
        switch rule.deed {
        case .reset: close(reset: true)
        case .finish:
            for side in [phone, car] { finish(side) }
            reactor.after(milliseconds: 100) { [weak self] in self?.close(reset: false) }
        case .halfClose:
            finish(rule.direction == .up ? car : phone)
            reactor.after(milliseconds: 60) { [weak self] in self?.close(reset: true) }
        case .blackhole: blackhole()
        case .stall(let milliseconds):
            isStalled = true
            reactor.after(milliseconds: milliseconds) { [weak self] in self?.resume() }
        case .corrupt: flip = rule.direction
        }
        update()
    }

    private var flip: ProxyRule.Direction?

    func blackhole() {
        isBlackhole = true
        update()
    }

    /// After a blackhole that was only a gap.
    func resume() {
        isStalled = false
        isBlackhole = false
        update()
    }

    func close(reset: Bool) {
        guard !isClosed else { return }
        isClosed = true
        for side in [phone, car] {
            if let source = side.source { reactor.remove(source) }
            side.source = nil
            if reset {
                var hard = linger(l_onoff: 1, l_linger: 0)
                setsockopt(side.descriptor, SOL_SOCKET, SO_LINGER, &hard, socklen_t(MemoryLayout<linger>.size))
            }
            _ = Foundation.close(side.descriptor)
        }
        onClose(self)
    }

    private func finish(_ side: Side) {
        if side.pending.isEmpty { shutdown(side.descriptor, Int32(SHUT_WR)) } else { side.finishWhenWritten = true }
    }

    private func ready(_ side: Side, _ readable: Bool, _ writable: Bool) {
        guard !isClosed else { return }
        if side === car, connecting, writable {
            connecting = false
            var problem: Int32 = 0
            var size = socklen_t(MemoryLayout<Int32>.size)
            getsockopt(side.descriptor, SOL_SOCKET, SO_ERROR, &problem, &size)
            guard problem == 0 else { return close(reset: true) }
        }
        if writable { flush(side) }
        if readable, !isClosed { readFrom(side) }
        if !isClosed { update() }
    }

    private func readFrom(_ side: Side) {
        let direction: ProxyRule.Direction = side === phone ? .up : .down, other = side === phone ? car : phone
        var limit = 32_768
        // Exactly so many bytes as the rule wants, whatever the ends write at once.
        if let rule, rule.direction == direction { limit = min(limit, max(0, rule.bytes - (passed[direction] ?? 0))) }
        if limit == 0 { return apply() }
        var buffer = [UInt8](repeating: 0, count: limit)
        let count = read(side.descriptor, &buffer, limit)
        if count < 0 { return errno == EAGAIN || errno == EINTR ? () : close(reset: true) }
        if count == 0 {
            side.sawEnd = true
            finish(other)
            if phone.sawEnd, car.sawEnd { close(reset: false) }
            return
        }
        if flip == direction {
            flip = nil
            buffer[count / 2] ^= 0x10
        }
        passed[direction, default: 0] += count
        other.pending += buffer[..<count]
        flush(other)
        if let rule, !isClosed, rule.direction == direction, passed[direction] ?? 0 >= rule.bytes { apply() }
    }

    private func flush(_ side: Side) {
        if side === car, connecting { return }
        while !side.pending.isEmpty {
            let count = side.pending.withUnsafeBytes { send(side.descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            if count < 0 { return errno == EAGAIN || errno == EINTR ? () : close(reset: true) }
            side.pending = side.pending.dropFirst(count)
        }
        side.pending = []
        if side.finishWhenWritten {
            side.finishWhenWritten = false
            shutdown(side.descriptor, Int32(SHUT_WR))
        }
    }

    private func update() {
        guard !isClosed else { return }
        let open = !isBlackhole && !isStalled
        for (side, other) in [(phone, car), (car, phone)] {
            side.source?.wantsReading = open && !side.sawEnd && other.pending.count < Self.mostPending && !(side === car && connecting)
            side.source?.wantsWriting = open && (!side.pending.isEmpty || side === car && connecting)
        }
    }
}

import Glibc
import Logging

/// Reads a power hint to its end. Confined to its caller's queue.
final class PowerInput {
    private let descriptor: Int32
    private let log: Logger
    private var hint = PowerHint()
    private var isCharging: Bool?
    private var hasComplained = false

    /// Owns the descriptor from here on.
    init(_ descriptor: Int32, log: Logger) {
        self.descriptor = descriptor
        self.log = log
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    deinit { close(descriptor) }

    /// What has changed, and whether there may be more: at its end the hint is over, not the phone.
    func read() -> ([EvidenceEvent.Kind], isOpen: Bool) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(descriptor, &buffer, buffer.count)
        guard count > 0 else {
            if count < 0, errno == EAGAIN || errno == EINTR { return ([], true) }
            log.info("the power hint has ended")
            return ([], false)
        }
        return (hint.read(buffer[..<count]).compactMap(change), true)
    }

    private func change(_ line: PowerHint.Line) -> EvidenceEvent.Kind? {
        switch line {
        case .charging, .discharging:
            let now = line == .charging
            defer { isCharging = now }
            // The first line says how it is; that it is discharging then is no loss.
            guard let before = isCharging, before != now else { return nil }
            return now ? .powerBack : .powerLost
        case .unknown(let text):
            if !hasComplained { log.warning("power hint: “\(text)” is neither “charging” nor “discharging”; such lines are ignored") }
            hasComplained = true
            return nil
        }
    }
}

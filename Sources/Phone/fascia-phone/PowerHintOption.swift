import ArgumentParser
import Foundation

struct PowerHintOption: ParsableArguments {
    @Option(help: ArgumentHelp("Lines “charging” and “discharging” from this open descriptor or file (a FIFO): power that goes makes the link suspect.",
                               valueName: "fd|path"))
    var powerHint: String?

    /// A descriptor that apps do not inherit; nil without the option.
    func open() throws -> Int32? {
        guard let powerHint else { return nil }
        if let descriptor = Int32(powerHint) {
            guard descriptor >= 0, fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else { throw Complaint("--power-hint \(powerHint): no such descriptor is open") }
            return descriptor
        }
        let descriptor = Glibc.open(powerHint, O_RDONLY | O_NONBLOCK | O_CLOEXEC) // a FIFO without a writer opens too
        guard descriptor >= 0 else { throw Complaint("--power-hint \(powerHint): \(String(cString: strerror(errno)))") }
        return descriptor
    }
}

import Dispatch
import Foundation

/// Reads an app's standard output and error and passes it on line by line. A line longer than `maximumLine`
/// bytes is cut, and of too many lines some are left out (`LineBudget`).
enum OutputForwarder {
    static let maximumLine = 4_096

    /// Takes ownership of `descriptor`; `line` is called on a thread of its own.
    /// - Returns: is empty when everything has been passed on, and nobody holds the other end any more.
    static func start(descriptor: Int32, line: @escaping @Sendable (String) -> Void) -> DispatchGroup {
        let reading = DispatchGroup()
        reading.enter()
        let thread = Thread {
            run(descriptor, line)
            close(descriptor)
            reading.leave()
        }
        thread.name = "app-output"
        thread.stackSize = 256 << 10
        thread.start()
        return reading
    }

    private static func run(_ descriptor: Int32, _ line: (String) -> Void) {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        var pending: [UInt8] = []
        var budget = LineBudget()
        func flush() {
            defer { pending = [] }
            guard !pending.isEmpty else { return }
            switch budget.next(now: DispatchTime.now().uptimeNanoseconds) {
            case .pass: break
            case .passAfter(let leftOut): line("(\(leftOut) lines left out: it prints too much)")
            case .drop: return
            }
            line(printable(pending))
        }
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            for byte in buffer[0 ..< count] {
                if byte == UInt8(ascii: "\n") { flush() } else if pending.count < maximumLine { pending.append(byte) }
            }
        }
        flush()
        if budget.untold > 0 { line("(\(budget.untold) lines left out: it prints too much)") }
    }

    /// Control characters would reach the phone's terminal.
    private static func printable(_ bytes: [UInt8]) -> String {
        String(String(decoding: bytes, as: UTF8.self).unicodeScalars.map { $0.properties.generalCategory == .control && $0 != "\t" ? "?" : Character($0) })
    }
}

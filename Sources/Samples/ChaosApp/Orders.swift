import Foundation

/// What the app is to do wrong, and where: lines of the file `FASCIA_CHAOS_ORDERS`, read anew each time.
///
///     didDisconnect sleep 200     blocks the main thread, milliseconds
///     didConnect spin 200         the same, with a busy processor
///     tap crash                   SIGSEGV
///     launch exit 3               ends the process
///     didConnect trap             a Swift runtime failure
enum Orders {
    static func obey(at place: String) {
        guard let path = ProcessInfo.processInfo.environment["FASCIA_CHAOS_ORDERS"],
              let text = try? String(contentsOfFile: path, encoding: .utf8) else { return }
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ").map(String.init)
            guard words.count >= 2, words[0] == place else { continue }
            obey(words[1], words.count > 2 ? Int(words[2]) ?? 0 : 0)
        }
    }

    private static func obey(_ deed: String, _ number: Int) {
        switch deed {
        case "sleep": usleep(UInt32(number) * 1000)
        case "spin":
            let end = Date(timeIntervalSinceNow: Double(number) / 1000)
            while Date() < end {}
        case "exit": exit(Int32(number))
        case "crash":
            signal(SIGSEGV, SIG_DFL)
            kill(getpid(), SIGSEGV)
        case "trap":
            let nothing: [Int] = []
            _ = nothing[number]
        default: break
        }
    }
}

import FasciaEvents
import Logging

/// Log lines for people, on standard error, so that standard output stays for what was asked.
enum PhoneLog {
    static func make(_ level: Logger.Level) -> Logger {
        var logger = Logger(label: "fascia-phone") { _ in LineHandler() }
        logger.logLevel = level
        return logger
    }

    private struct LineHandler: LogHandler {
        var metadata: Logger.Metadata = [:]
        var logLevel: Logger.Level = .info
        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let prefix = event.level >= .warning ? "\(event.level): " : ""
            StandardStreams.error(prefix + "\(event.message)")
        }
    }
}

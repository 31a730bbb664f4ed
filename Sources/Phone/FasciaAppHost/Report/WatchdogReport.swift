import Foundation

/// What is known of an app that took too long, at the moment it was ended. Written as JSON and, rendered, as text.
public struct WatchdogReport: Codable, Sendable, Equatable {
    /// Version of this format.
    public var format = 1
    /// ISO 8601.
    public var time: String
    public var code = AppExit.watchdogCode
    public var app: App
    public var phase: WatchdogPhase
    public var budgetMs: Int64
    public var elapsedMs: Int64
    public var cpu: Processor
    /// The main thread first.
    public var threads: [ThreadReport] = []
    /// Threads there are beyond `ThreadList.limit`.
    public var threadsLeftOut = 0
    public var images: [LoadedImage] = []
    /// What is missing from this report, and why.
    public var notes: [String] = []

    public struct App: Codable, Sendable, Equatable {
        public var id: String
        public var name: String
        public var executable: String
        public var pid: Int32

        public init(id: String, name: String, executable: String, pid: Int32) {
            self.id = id
            self.name = name
            self.executable = executable
            self.pid = pid
        }
    }

    /// Processor time of the process, all threads.
    public struct Processor: Codable, Sendable, Equatable {
        public var userMs: Int64
        public var systemMs: Int64
        /// Of both, since half of the budget was used up: near the time that went by, it is busy; near 0, it waits. nil if there was no warning.
        public var sinceWarningMs: Int64?

        public init(userMs: Int64, systemMs: Int64, sinceWarningMs: Int64? = nil) {
            self.userMs = userMs
            self.systemMs = systemMs
            self.sinceWarningMs = sinceWarningMs
        }
    }

    public init(time: String, app: App, phase: WatchdogPhase, budgetMs: Int64, elapsedMs: Int64, cpu: Processor) {
        self.time = time
        self.app = app
        self.phase = phase
        self.budgetMs = budgetMs
        self.elapsedMs = elapsedMs
        self.cpu = cpu
    }
}

/// One thread of the app.
public struct ThreadReport: Codable, Sendable, Equatable {
    public var id: Int32
    public var name: String
    public var isMain: Bool
    /// The kernel's letter: R running, S sleeping, D in an uninterruptible wait, T stopped, t traced, Z ended.
    public var state: String
    /// The kernel's function it waits in, where the kernel tells.
    public var waitsIn: String?
    public var cpuMs: Int64
    public var cpuSinceWarningMs: Int64?
    /// Innermost first; empty if the thread did not say.
    public var backtrace: [StackFrame] = []
    /// Why there is no backtrace.
    public var note: String?
}

/// One level of a backtrace.
public struct StackFrame: Codable, Sendable, Equatable {
    /// Program counter; of all frames but the first the return address.
    public var address: UInt64
    /// File the address belongs to, and where in it.
    public var image: String?
    public var offset: UInt64?
    public var symbol: String?
    public var symbolOffset: Int?
    public var file: String?
    public var line: Int?
    /// The compiler put this function's code into the next one's.
    public var isInlined: Bool?
}

/// A file mapped into the app's memory with code.
public struct LoadedImage: Codable, Sendable, Equatable {
    public var path: String
    public var base: UInt64
    /// End of its code.
    public var end: UInt64
}

extension WatchdogReport {
    /// Largest file that is read as a report.
    static let maximumFile = 16 << 20

    public func json() throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return try encoder.encode(self)
    }

    /// - Throws: `DecodingError` for anything but a report.
    public init(json: Data) throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        self = try decoder.decode(WatchdogReport.self, from: json)
    }
}

import Foundation

/// Keeps the newest reports in a directory: `TIME-APP-PID-PHASE.json` and the same as `.txt`, readable by the user alone.
public struct ReportStore: Sendable {
    /// Reports kept; the oldest go.
    public static let kept = 20
    public let directory: String

    /// - Parameter directory: made when the first report is written.
    public init(directory: String) {
        self.directory = directory
    }

    /// - Returns: the path of the JSON file.
    public func write(_ report: WatchdogReport) throws -> String {
        let files = FileManager.default
        try files.createDirectory(atPath: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let name = report.app.name.unicodeScalars.prefix(40).map { $0.isASCII && $0.properties.isAlphabetic || $0.properties.numericType != nil ? String($0) : "_" }.joined()
        let time = report.time.replacingOccurrences(of: ":", with: "")
        let path = "\(directory)/\(time)-\(name)-\(report.app.pid)-\(report.phase.rawValue).json"
        try Self.write(report, to: path)
        removeOldest()
        return path
    }

    /// Writes both files anew, each whole or not at all.
    public static func write(_ report: WatchdogReport, to path: String) throws {
        try replace(path, with: report.json())
        try replace(text(of: path), with: Data(report.text.utf8))
    }

    /// The report for people beside `path`.
    public static func text(of path: String) -> String { path.replacingOccurrences(of: ".json", with: ".txt", options: [.anchored, .backwards]) }

    /// - Throws: for a file that is no report.
    public static func read(_ path: String) throws -> WatchdogReport {
        guard let file = FileHandle(forReadingAtPath: path) else { throw CocoaError(.fileNoSuchFile) }
        defer { try? file.close() }
        return try WatchdogReport(json: try file.read(upToCount: WatchdogReport.maximumFile) ?? Data())
    }

    private static func replace(_ path: String, with data: Data) throws {
        let new = path + ".new"
        unlink(new)
        let descriptor = open(new, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try file.write(contentsOf: data)
        try file.close()
        guard rename(new, path) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    /// Names begin with the time.
    private func removeOldest() {
        let files = FileManager.default
        let names = ((try? files.contentsOfDirectory(atPath: directory)) ?? []).filter { $0.hasSuffix(".json") }.sorted()
        for name in names.dropLast(Self.kept) {
            for path in ["\(directory)/\(name)", Self.text(of: "\(directory)/\(name)")] { unlink(path) }
        }
    }
}

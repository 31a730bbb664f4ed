import Foundation

/// A file of an app, which may be anything: read whole if it is a regular file and not too large.
enum BundleFile {
    /// Property lists are hand-written, icons a few hundred pixels wide.
    static let maximumBytes = 4_194_304

    /// - Returns: nil if there is no such file, it is not a regular one, cannot be read or has more than `maximumBytes`.
    static func contents(_ path: String) -> Data? {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory), !isDirectory.boolValue,
            let real = try? FileManager.default.attributesOfItem(atPath: URL(fileURLWithPath: path).resolvingSymlinksInPath().path),
            real[.type] as? FileAttributeType == .typeRegular, let file = FileHandle(forReadingAtPath: path)
        else { return nil }
        defer { try? file.close() }
        // A file of /proc says it is empty, and one may grow while it is read: what counts is what comes.
        guard let data = try? file.read(upToCount: maximumBytes + 1), data.count <= maximumBytes else { return nil }
        return data
    }
}

import Foundation

/// A file of an app, which may be anything: read whole if it is a regular file and not too large.
enum BundleFile {
    /// Property lists are hand-written, icons a few hundred pixels wide.
    static let maximumBytes = 4_194_304

    /// - Returns: nil if there is no such file, it is not a regular one, cannot be read or has more than `maximumBytes`.
    static func contents(_ path: String) -> Data? {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC) // a FIFO without a writer opens too, and is refused
        guard descriptor >= 0 else { return nil }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        // Of what was opened, whatever stands at the path by now.
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        // A file of /proc says it is empty, and one may grow while it is read: what counts is what comes.
        guard let data = try? file.read(upToCount: maximumBytes + 1), data.count <= maximumBytes else { return nil }
        return data
    }
}

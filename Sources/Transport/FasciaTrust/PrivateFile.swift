import Glibc

/// A small file only its owner may read, replaced as a whole: after a crash or on a full disk either the old or the new
/// content is there, never a mixture.
///
/// Replacing: write `<name>.new-` and six random characters, fsync, rename over `<name>`, fsync the directory.
public struct PrivateFile: Sendable {
    /// No state file is near this size; what is larger is not ours.
    public static let maximumSize = 1 << 20

    /// Where it is.
    public let directory: StateDirectory
    public let name: String
    public var path: String { directory.file(name) }

    public init(_ name: String, in directory: StateDirectory) {
        self.name = name
        self.directory = directory
    }

    /// Identifies one version of the content without reading it; `nil` when there is no such file.
    public struct Version: Hashable, Sendable {
        let inode: UInt
        let seconds: Int
        let nanoseconds: Int
        let size: Int
    }

    public var version: Version? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        return Version(inode: UInt(status.st_ino), seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec, size: Int(status.st_size))
    }

    /// The content, `nil` when there is no such file.
    /// - Throws: `unreadable`, or `permissionsTooOpen` when group or others have any access.
    public func read() throws(StateError) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw StateError(.unreadable, path: path, "cannot be read: \(errorText(errno))")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw StateError(.unreadable, path: path, "is not a regular file")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw StateError(.permissionsTooOpen, path: path, "other users have access to it; run: chmod 600 '\(path)'")
        }
        guard status.st_size <= Self.maximumSize else {
            throw StateError(.corrupt, path: path, "is larger than any file this program writes; move it away")
        }
        return try readAll(descriptor, expecting: Int(status.st_size))
    }

    /// Puts `content` in place of what is there.
    /// - Throws: `writeFailed`; what was there before is unharmed.
    public func replace(with content: [UInt8]) throws(StateError) {
        var template = Array("\(path).new-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template) // mode 0600
        guard descriptor >= 0 else { throw writeFailed(errno) }
        defer { close(descriptor) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        do throws(WriteFailure) {
            try writeAll(descriptor, content)
            guard fsync(descriptor) == 0 else { throw WriteFailure(code: errno) }
            guard rename(template, path) == 0 else { throw WriteFailure(code: errno) }
        } catch {
            unlink(template)
            throw writeFailed(error.code)
        }
        try syncDirectory()
    }

    /// Runs `body` while no other process or thread runs one for this file.
    public func exclusively<Result>(_ body: () throws(StateError) -> Result) throws(StateError) -> Result {
        let lock = path + ".lock"
        let descriptor = open(lock, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StateError(.writeFailed, path: lock, "cannot be opened: \(errorText(errno))") }
        defer { close(descriptor) } // ends the lock as well
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else { throw StateError(.writeFailed, path: lock, "cannot be locked: \(errorText(errno))") }
        }
        return try body()
    }

    private struct WriteFailure: Error { let code: Int32 }

    private func writeFailed(_ code: Int32) -> StateError {
        let advice = code == ENOSPC || code == EDQUOT ? "; make room there and try again" : ""
        return StateError(.writeFailed, path: path, "cannot be written: \(errorText(code))\(advice). The old content is kept")
    }

    private func readAll(_ descriptor: Int32, expecting size: Int) throws(StateError) -> [UInt8] {
        var content: [UInt8] = []
        content.reserveCapacity(size)
        var chunk = [UInt8](repeating: 0, count: 4096)
        while content.count <= Self.maximumSize {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count == 0 { return content }
            if count > 0 { content.append(contentsOf: chunk[..<count]); continue }
            guard errno == EINTR else { throw StateError(.unreadable, path: path, "cannot be read: \(errorText(errno))") }
        }
        throw StateError(.corrupt, path: path, "is larger than any file this program writes; move it away")
    }

    private func writeAll(_ descriptor: Int32, _ content: [UInt8]) throws(WriteFailure) {
        var rest = content[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 { rest = rest.dropFirst(count); continue }
            guard count < 0, errno == EINTR else { throw WriteFailure(code: count == 0 ? ENOSPC : errno) }
        }
    }

    private func syncDirectory() throws(StateError) {
        let descriptor = open(directory.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw writeFailed(errno) }
        defer { close(descriptor) }
        // Some file systems cannot sync a directory (EINVAL): then there is nothing more to be had.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw writeFailed(errno) }
    }
}

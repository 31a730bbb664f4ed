import Glibc

/// The directory in which one program keeps its key and the peers it trusts; private to its owner.
public struct StateDirectory: Sendable, Hashable {
    public let path: String

    /// Uses `path`, making it (mode 0700) with its parents when it is missing.
    /// - Throws: `directoryUnusable` when that fails, `permissionsTooOpen` when others may write into it.
    public init(path: String) throws(StateError) {
        self.path = path
        try Self.make(path)
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw StateError(.directoryUnusable, path: path, "cannot be used: \(errorText(errno))")
        }
        guard status.st_mode & S_IFMT == S_IFDIR else {
            throw StateError(.directoryUnusable, path: path, "is not a directory; give another one with --state-dir")
        }
        guard status.st_mode & 0o022 == 0 else {
            throw StateError(.permissionsTooOpen, path: path, "other users may write here; run: chmod 700 '\(path)'")
        }
    }

    /// `flag` if given (`--state-dir`), else `$XDG_STATE_HOME/fascia/<program>`, else `~/.local/state/fascia/<program>`.
    public static func resolve(flag: String?, program: String) throws(StateError) -> StateDirectory {
        if let flag { return try StateDirectory(path: flag) }
        // The XDG base directory specification: a relative path there is invalid and to be ignored.
        if let base = environment("XDG_STATE_HOME"), base.hasPrefix("/") { return try StateDirectory(path: "\(base)/fascia/\(program)") }
        guard let home = environment("HOME"), !home.isEmpty else {
            throw StateError(.directoryUnusable, path: "$HOME", "is not set; give a directory with --state-dir")
        }
        return try StateDirectory(path: "\(home)/.local/state/fascia/\(program)")
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    private static func make(_ path: String) throws(StateError) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        let parent = path.split(separator: "/", omittingEmptySubsequences: true).dropLast().joined(separator: "/")
        guard errno == ENOENT, !parent.isEmpty else {
            throw StateError(.directoryUnusable, path: path, "cannot be made: \(errorText(errno))")
        }
        try make(path.hasPrefix("/") ? "/" + parent : parent)
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw StateError(.directoryUnusable, path: path, "cannot be made: \(errorText(errno))")
        }
    }
}

private func environment(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

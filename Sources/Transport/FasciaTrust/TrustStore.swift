import FasciaTLS
import Glibc
import Synchronization

/// The paired peers, in `trust.json` of the state directory; thread-safe, and shared by all processes that use the
/// directory: each change reads the file again under a lock, each question sees what other processes changed.
public final class TrustStore: Sendable {
    /// In the state directory.
    public static let fileName = "trust.json"
    /// Names are cut to this many bytes, as in Hello.
    public static let maximumNameLength = 64

    private struct Cache {
        var version: PrivateFile.Version?
        var peers: [TrustedPeer]
    }

    private let file: PrivateFile
    private let cache: Mutex<Cache?>

    /// Of the file.
    public var path: String { file.path }
    public let directory: StateDirectory

    /// - Throws: when the file is damaged, unreadable or open to others. It is never overwritten then.
    public init(_ directory: StateDirectory) throws(StateError) {
        self.directory = directory
        let file = PrivateFile(Self.fileName, in: directory)
        self.file = file
        let version = file.version
        cache = Mutex(Cache(version: version, peers: try Self.load(file)))
    }

    /// All peers, in the order of pairing: the one paired last is the last.
    /// - Throws: when another process damaged the file since.
    public func currentPeers() throws(StateError) -> [TrustedPeer] {
        let result = cache.withLock { cache -> Result<[TrustedPeer], StateError> in
            let version = file.version
            if let cache, version == cache.version { return .success(cache.peers) }
            do throws(StateError) {
                let peers = try Self.load(file)
                cache = Cache(version: version, peers: peers)
                return .success(peers)
            } catch { return .failure(error) }
        }
        return try result.get()
    }

    /// All peers; nobody is trusted while the file cannot be read.
    public var peers: [TrustedPeer] { (try? currentPeers()) ?? [] }

    /// The entry of that key; nil when it is not paired.
    public func peer(_ fingerprint: Fingerprint) -> TrustedPeer? { peers.first { $0.fingerprint == fingerprint } }

    public func isTrusted(_ fingerprint: Fingerprint) -> Bool { peer(fingerprint) != nil }

    /// Peers whose name is `text` (letter case ignored) or whose fingerprint begins with it (at least 8 digits).
    public func matches(_ text: String) -> [TrustedPeer] {
        let wanted = text.lowercased()
        let named = peers.filter { $0.name.lowercased() == wanted }
        return named.isEmpty && wanted.utf8.count >= 8 ? peers.filter { $0.fingerprint.hex.hasPrefix(wanted) } : named
    }

    /// Adds a peer as the last one; one with the same key goes.
    public func add(_ peer: TrustedPeer) throws(StateError) {
        var peer = peer
        peer.name = Self.bounded(peer.name)
        try change { peers in
            peers.removeAll { $0.fingerprint == peer.fingerprint }
            peers.append(peer)
        }
    }

    /// Removes all peers with that name or fingerprint.
    /// - Returns: the removed ones.
    /// - Throws: `unknownPeer` when there is none.
    @discardableResult
    public func forget(_ text: String) throws(StateError) -> [TrustedPeer] {
        _ = try currentPeers() // a damaged file is an error of its own
        let doomed = matches(text)
        guard !doomed.isEmpty else { throw StateError(.unknownPeer, path: path, "no paired peer is called “\(text)” or has such a fingerprint") }
        for peer in doomed { try forget(peer.fingerprint) }
        return doomed
    }

    /// Removes the peer with that key, if there is one.
    public func forget(_ fingerprint: Fingerprint) throws(StateError) {
        try change { $0.removeAll { $0.fingerprint == fingerprint } }
    }

    /// Notes where a peer was reached; does nothing when that is known or the peer is not in the store.
    public func update(_ fingerprint: Fingerprint, lastAddress: String) throws(StateError) {
        guard let known = peer(fingerprint), known.lastAddress != lastAddress else { return }
        try change { peers in
            if let index = peers.firstIndex(where: { $0.fingerprint == fingerprint }) { peers[index].lastAddress = lastAddress }
        }
    }

    private func change(_ body: (inout [TrustedPeer]) -> Void) throws(StateError) {
        // The next question reads the file again: between unlock and here another process may have changed it.
        defer { cache.withLock { $0 = nil } }
        try file.exclusively { () throws(StateError) in
            let before = try Self.load(file)
            var peers = before
            body(&peers)
            guard peers != before else { return }
            guard let json = TrustDocument(peers: peers).json else {
                throw StateError(.writeFailed, path: path, "cannot be encoded")
            }
            try file.replace(with: json)
        }
    }

    private static func load(_ file: PrivateFile) throws(StateError) -> [TrustedPeer] {
        guard let json = try file.read() else { return [] }
        do throws(TrustDocument.Corrupt) {
            return try TrustDocument(json: json).peers
        } catch {
            throw StateError(.corrupt, path: file.path, "\(error.reason). Restore it, or move it away and pair anew")
        }
    }

    /// What a peer calls itself ends up on terminals and screens.
    private static func bounded(_ name: String) -> String {
        var name = String(String.UnicodeScalarView(name.unicodeScalars.filter { $0.properties.generalCategory != .control }))
        while name.utf8.count > maximumNameLength { name.removeLast() }
        return name
    }
}

/// Gives every part of the screen the same layer id for as long as it is shown, so that commits carry only what changed.
/// Numbers are never reused while the table lives.
final class LayerIdentifiers {
    private var known: [String: UInt32] = [:]
    private var used: Set<String> = []
    private var next: UInt32 = 1

    func id(_ key: String) -> UInt32 {
        used.insert(key)
        if let id = known[key] { return id }
        let id = next
        next &+= 1
        known[key] = id
        return id
    }

    /// Names kept though nothing asks for them: each page of an app has names of its own, and apps make pages for ever.
    private static let kept = 512

    /// Forgets what was not asked for since the last call, once there is much of it.
    func endFrame() {
        if known.count > used.count + Self.kept { known = known.filter { used.contains($0.key) } }
        used.removeAll(keepingCapacity: true)
    }
}

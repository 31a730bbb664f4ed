import FasciaAppLink

/// The templates an app has sent, bounded in number and bytes: past that the oldest that are on no stack go.
struct TemplateShelf {
    static let maxCount = 512
    static let maxBytes = 32 << 20

    private var templates: [UInt64: (template: AppTemplate, bytes: Int)] = [:]
    private var order: [UInt64] = []
    private var bytes = 0

    subscript(id: UInt64) -> AppTemplate? {
        get { templates[id]?.template }
        set {
            if let old = templates[id] { bytes -= old.bytes }
            guard let newValue else {
                if templates.removeValue(forKey: id) != nil { order.removeAll { $0 == id } }
                return
            }
            let size = (try? newValue.serializedBytes() as [UInt8])?.count ?? 0
            if templates.updateValue((newValue, size), forKey: id) == nil { order.append(id) }
            bytes += size
        }
    }

    var count: Int { templates.count }

    /// In no order.
    var all: some Sequence<AppTemplate> { templates.values.lazy.map(\.template) }

    /// Lets go of what is too much.
    /// - Parameter isNeeded: whether a template is on a stack or presented.
    /// - Returns: the ids that went.
    mutating func trim(keeping isNeeded: (UInt64) -> Bool) -> [UInt64] {
        guard templates.count > Self.maxCount || bytes > Self.maxBytes else { return [] }
        var gone: [UInt64] = []
        for id in order.dropLast() where templates.count > Self.maxCount || bytes > Self.maxBytes {
            guard !isNeeded(id), let old = templates.removeValue(forKey: id) else { continue }
            bytes -= old.bytes
            gone.append(id)
        }
        if !gone.isEmpty { order = order.filter { templates[$0] != nil } }
        return gone
    }
}

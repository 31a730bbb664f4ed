import FasciaScene

/// The phone's pictures by id (spec "Resource", message 0x1001). Ids rise: one that was used is never used again.
public final class ResourceStore {
    private var images: [UInt32: StoredImage] = [:]
    private let ledger = ResourceLedger()
    private let limits: DisplayLimits
    /// Highest id received completely, 0 for none; what `Resumed.highest_resource` says.
    public private(set) var highestIdentifier: UInt32 = 0

    /// Whether the phone said that it compresses (capability ZSTD).
    public var acceptsCompressed = true

    public init(limits: DisplayLimits = DisplayLimits()) { self.limits = limits }

    /// Resources that can be named by a commit.
    public var count: Int { images.count }
    /// Bytes of the budget in use (spec 10.2): released pictures count while a layer shows them.
    public var byteCount: Int { ledger.bytes }

    /// Takes the body of a 0x1001 message and returns the id. Decodes at once, so that a commit never waits for it.
    @discardableResult
    public func store(_ body: [UInt8]) throws(DisplayError) -> UInt32 {
        let resource = try EncodedResource(body)
        guard resource.id > highestIdentifier else {
            throw DisplayError(.reusedIdentifier, "resource \(resource.id) after \(highestIdentifier): ids must rise")
        }
        guard acceptsCompressed || resource.compression == .none else {
            throw DisplayError(.unknownFormat, "resource \(resource.id) is compressed, the phone did not say it would")
        }
        let image = try resource.decode(limits: limits, bytesInUse: ledger.bytes)
        images[resource.id] = StoredImage(image, ledger: ledger)
        highestIdentifier = resource.id
        return resource.id
    }

    /// Forgets these. A layer that shows one keeps it until the layer is replaced. Unknown ids are ignored.
    public func release(_ ids: [UInt32]) {
        for id in ids { images[id] = nil }
    }

    /// Forgets everything, as at the start of a session.
    public func removeAll() {
        images.removeAll()
        highestIdentifier = 0
    }

    public func holds(_ id: UInt32) -> Bool { images[id] != nil }

    subscript(id: UInt32) -> StoredImage? { images[id] }

    /// For pictures of this process (native screens): no encoding in between.
    func local(_ image: RasterImage) -> StoredImage { StoredImage(image, ledger: ledger) }
}

import FasciaScene
import FasciaWire

/// What one source shows: its resources and its layer tree. The compositor stacks scenes, so that the car's own notices
/// lie over the phone's last picture.
public final class LayerScene {
    /// The pictures its commits may name.
    public let resources: ResourceStore
    /// What its source may make it keep.
    public let limits: DisplayLimits
    /// Sequence of the last commit applied, 0 for none.
    public private(set) var sequence: UInt32 = 0
    /// While set, the scene stands still as it was at that moment (nanoseconds) and asks for no frames.
    public var frozenAt: UInt64?

    var tree = LayerTree()
    private var mayFollowGap = false
    private var localImages: [ContentHash: StoredImage] = [:]

    public init(limits: DisplayLimits = DisplayLimits()) {
        self.limits = limits
        resources = ResourceStore(limits: limits)
    }

    /// Layers of the tree now.
    public var layerCount: Int { tree.count }

    /// The phone came back over a new connection: its next commit may follow a gap (spec, R-7).
    public func resume() { mayFollowGap = true }

    /// Applies a commit whole, or throws and leaves everything as it was. Sequences rise by one.
    public func apply(_ commit: Commit) throws(DisplayError) {
        guard commit.sequence > sequence, mayFollowGap || commit.sequence - sequence == 1 else {
            throw DisplayError(.sequenceOutOfOrder, "commit \(commit.sequence) after \(sequence)")
        }
        guard commit.upsert.count <= limits.layers else {
            throw DisplayError(.tooManyLayers, "\(commit.upsert.count) layers in one commit, at most \(limits.layers)")
        }
        var upsert: [LayerProperties] = []
        upsert.reserveCapacity(commit.upsert.count)
        for layer in commit.upsert { upsert.append(try LayerProperties(layer, resources: resources, limits: limits)) }
        try tree.apply(reset: commit.reset, upsert: upsert, remove: commit.remove, background: Color(rgba: commit.background), limits: limits)
        sequence = commit.sequence
        mayFollowGap = false
    }

    /// Shows a frame made in this process. Layers that keep their id keep their running animations.
    public func show(_ frame: SceneFrame) throws(DisplayError) {
        var images: [ContentHash: StoredImage] = [:]
        var upsert: [LayerProperties] = []
        for layer in frame.layers {
            upsert.append(try LayerProperties(layer, image: { raster in
                let stored = images[raster.hash] ?? self.localImages[raster.hash] ?? self.resources.local(raster)
                images[raster.hash] = stored
                return stored
            }, limits: limits))
        }
        let kept = Set(frame.layers.map(\.id))
        let gone = tree.drawOrder.map(\.properties.id).filter { !kept.contains($0) }
        try tree.apply(reset: false, upsert: upsert, remove: gone, background: frame.background, limits: limits)
        localImages = images
    }
}

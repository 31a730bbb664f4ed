import FasciaAppLink

/// Everything the phone knows of one app's scene.
final class AppSession {
    enum State: Equatable { case idle, launching, connected, stopped(String?) }

    struct Selection: Hashable {
        var template: UInt64
        var element: UInt64
        var index: Int?
    }

    let id: String
    var name: String
    var state = State.idle
    /// Counts fresh starts: image ids of one process mean nothing in the next.
    private(set) var life = 0
    var templates = TemplateShelf()
    var images = ImageShelf()
    var stack = TemplateStack()
    var lifecycle = LifecycleReporter()
    var nowPlaying: AppNowPlaying? { didSet { nowPlayingRevision &+= 1 } }
    /// Counts what the app said about playback: the progress bar's animation starts anew with each.
    private(set) var nowPlayingRevision: UInt32 = 0
    var commands = AppRemoteCommands()
    /// Results that wait for the end of their animation.
    var pendingResults: [AppStackResult] = []
    /// The driver closed a modal, and the app may not have heard of it yet: its own dismissal is no error.
    var dismissedByDriver = false
    /// Now Playing was opened from the home screen: going back leads to the root.
    var nowPlayingLeadsToRoot = false
    private(set) var selections: [UInt64: Selection] = [:]
    private var nextSelection: UInt64 = 0

    init(id: String, name: String) {
        self.id = id
        self.name = name
    }

    /// A fresh process: nothing of the last one counts.
    func reset(to state: State) {
        self.state = state
        life += 1
        templates = TemplateShelf()
        images = ImageShelf()
        stack = TemplateStack()
        lifecycle = LifecycleReporter()
        nowPlaying = nil
        commands = AppRemoteCommands()
        pendingResults = []
        dismissedByDriver = false
        nowPlayingLeadsToRoot = false
        selections = [:]
    }

    func isBusy(_ selection: Selection) -> Bool { selections.values.contains(selection) }

    func begin(_ selection: Selection) -> UInt64 {
        nextSelection += 1
        selections[nextSelection] = selection
        return nextSelection
    }

    /// - Returns: false for a number that is not waited for.
    func complete(selection: UInt64) -> Bool { selections.removeValue(forKey: selection) != nil }

    var nowPlayingTemplate: AppTemplate? {
        templates.all.first { if case .nowPlaying = $0.kind { true } else { false } }
    }

    var isPlaying: Bool {
        guard let nowPlaying, nowPlaying.present, nowPlaying.rate > 0 else { return false }
        return nowPlaying.playbackState != 2 && nowPlaying.playbackState != 3
    }

    /// Seconds played at `now` (CLOCK_MONOTONIC), inferred: apps do not report every second.
    func elapsed(at now: UInt64) -> Double {
        guard let nowPlaying else { return 0 }
        var elapsed = nowPlaying.elapsed
        if isPlaying, now > nowPlaying.asOfNs { elapsed += Double(now - nowPlaying.asOfNs) / 1e9 * nowPlaying.rate }
        if !elapsed.isFinite { return 0 }
        return nowPlaying.duration > 0 ? min(max(0, elapsed), nowPlaying.duration) : max(0, elapsed)
    }
}

/// The images an app has sent, bounded in bytes: past that the oldest go and a placeholder stands for them.
struct ImageShelf {
    static let maxBytes = 24 << 20
    /// What an image costs however small it is, so that their number is bounded as well.
    static let overhead = 256
    private var images: [UInt64: AppImage] = [:]
    private var order: [UInt64] = []
    private var bytes = 0
    /// Ids that could not be decoded, reported once.
    var broken: Set<UInt64> = []

    subscript(id: UInt64) -> AppImage? { images[id] }

    mutating func remove(_ id: UInt64) {
        guard let image = images.removeValue(forKey: id) else { return }
        bytes -= Self.size(image)
        order.removeAll { $0 == id }
        broken.remove(id)
    }

    mutating func insert(_ image: AppImage) {
        if images[image.id] == nil { order.append(image.id) }
        bytes += Self.size(image) - (images.updateValue(image, forKey: image.id).map(Self.size) ?? 0)
        var gone = 0
        while bytes > Self.maxBytes, gone < order.count - 1 {
            bytes -= images.removeValue(forKey: order[gone]).map(Self.size) ?? 0
            broken.remove(order[gone])
            gone += 1
        }
        order.removeFirst(gone)
    }

    private static func size(_ image: AppImage) -> Int {
        overhead + image.encoded.count + image.systemName.utf8.count + image.unknownFields.data.count
    }
}

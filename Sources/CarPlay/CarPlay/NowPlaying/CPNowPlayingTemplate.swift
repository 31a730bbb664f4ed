import FasciaAppLink
import FasciaAppRuntime

/// The playback screen: one shared instance, filled from `MPNowPlayingInfoCenter`. Configure it when the scene connects, as the
/// system may show it by itself.
@preconcurrency @MainActor
open class CPNowPlayingTemplate: CPTemplate {
    private static let instance = CPNowPlayingTemplate(_template: ())

    open class var shared: CPNowPlayingTemplate { instance }

    private struct Observer { weak var observer: (any CPNowPlayingTemplateObserver)? }

    private var observers: [Observer] = []
    public private(set) var nowPlayingButtons: [CPNowPlayingButton] = [] { didSet { changed() } }
    open var isUpNextButtonEnabled = false { didSet { changed() } }
    open var upNextTitle = "Up Next" { didSet { changed() } }
    open var isAlbumArtistButtonEnabled = false { didSet { changed() } }
    open var nowPlayingMode: CPNowPlayingMode?

    public override init(_template: Void) { super.init(_template: ()) }

    public required convenience nonisolated init?(coder: NSCoder) { return nil }

    /// Observers are not kept alive.
    open func add(_ observer: any CPNowPlayingTemplateObserver) {
        observers.removeAll { $0.observer == nil || $0.observer === observer }
        observers.append(Observer(observer: observer))
    }

    open func remove(_ observer: any CPNowPlayingTemplateObserver) {
        observers.removeAll { $0.observer == nil || $0.observer === observer }
    }

    /// Shows up to five buttons; further ones are not shown.
    open func updateNowPlayingButtons(_ nowPlayingButtons: [CPNowPlayingButton]) { self.nowPlayingButtons = nowPlayingButtons }

    private var shown: ArraySlice<CPNowPlayingButton> { nowPlayingButtons.prefix(Limits.nowPlayingButtons) }

    override func describe(_ message: inout AppTemplate, _ encoder: TemplateEncoder) {
        message.nowPlaying = .with { nowPlaying in
            nowPlaying.buttons = shown.map { $0.encode(encoder, owner: token.id) }
            nowPlaying.upNextEnabled = isUpNextButtonEnabled
            nowPlaying.upNextTitle = upNextTitle
            nowPlaying.albumArtistEnabled = isAlbumArtistButtonEnabled
        }
    }

    override func activate(_ activation: AppElementActivated) {
        if let button = shown.first(where: { $0.owners.element == activation.element }), button.isEnabled { button.handler?(button) }
        ignore(activation)
    }

    /// One of the system's own buttons was chosen.
    func tapped(_ tap: AppNowPlayingTapped) {
        for observer in observers.compactMap(\.observer) {
            switch tap.what {
            case .upNext: observer.nowPlayingTemplateUpNextButtonTapped(self)
            case .albumArtist: observer.nowPlayingTemplateAlbumArtistButtonTapped(self)
            case .unspecified, .UNRECOGNIZED: break
            }
        }
    }
}

/// Hears of the Up Next and album-artist buttons.
@preconcurrency @MainActor
public protocol CPNowPlayingTemplateObserver: NSObjectProtocol {
    func nowPlayingTemplateUpNextButtonTapped(_ nowPlayingTemplate: CPNowPlayingTemplate)
    func nowPlayingTemplateAlbumArtistButtonTapped(_ nowPlayingTemplate: CPNowPlayingTemplate)
}

extension CPNowPlayingTemplateObserver {
    public func nowPlayingTemplateUpNextButtonTapped(_ nowPlayingTemplate: CPNowPlayingTemplate) {}
    public func nowPlayingTemplateAlbumArtistButtonTapped(_ nowPlayingTemplate: CPNowPlayingTemplate) {}
}

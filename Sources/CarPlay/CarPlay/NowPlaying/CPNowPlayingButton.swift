import FasciaAppLink
import FasciaAppRuntime

/// A button along the bottom of Now Playing. Use the subclasses.
@preconcurrency @MainActor
open class CPNowPlayingButton: NSObject, _CPCoding {
    let owners = Owners()
    let handler: ((CPNowPlayingButton) -> Void)?

    open var isEnabled = true { didSet { owners.templateChanged() } }
    open var isSelected = false { didSet { owners.templateChanged() } }

    public init(handler: ((CPNowPlayingButton) -> Void)? = nil) {
        self.handler = handler
        super.init()
    }

    public required convenience nonisolated init?(coder: NSCoder) { return nil }

    var kind: AppNowPlayingButton.Kind { .more }
    var shownImage: UIImage? { nil }

    func encode(_ encoder: TemplateEncoder, owner: UInt64) -> AppNowPlayingButton {
        owners.add(owner)
        var message = AppNowPlayingButton()
        message.element = owners.element
        message.kind = kind
        message.image = encoder.image(shownImage)
        message.enabled = isEnabled
        message.selected = isSelected
        return message
    }
}

/// A button with an image of the app's own.
@preconcurrency @MainActor
open class CPNowPlayingImageButton: CPNowPlayingButton {
    public let image: UIImage?

    public init(image: UIImage, handler: ((CPNowPlayingButton) -> Void)? = nil) {
        self.image = image
        super.init(handler: handler)
    }

    public required convenience nonisolated init?(coder: NSCoder) { return nil }

    override var kind: AppNowPlayingButton.Kind { .image }
    override var shownImage: UIImage? { image }
}

@preconcurrency @MainActor
open class CPNowPlayingShuffleButton: CPNowPlayingButton {
    override var kind: AppNowPlayingButton.Kind { .shuffle }
}

@preconcurrency @MainActor
open class CPNowPlayingRepeatButton: CPNowPlayingButton {
    override var kind: AppNowPlayingButton.Kind { .repeat }
}

@preconcurrency @MainActor
open class CPNowPlayingAddToLibraryButton: CPNowPlayingButton {
    override var kind: AppNowPlayingButton.Kind { .addToLibrary }
}

@preconcurrency @MainActor
open class CPNowPlayingMoreButton: CPNowPlayingButton {
    override var kind: AppNowPlayingButton.Kind { .more }
}

@preconcurrency @MainActor
open class CPNowPlayingPlaybackRateButton: CPNowPlayingButton {
    override var kind: AppNowPlayingButton.Kind { .rate }
}

/// A banner over a map with one or two actions.
@preconcurrency @MainActor
open class CPNavigationAlert: NSObject, _CPCoding {
    public enum DismissalContext: UInt, Sendable { case timeout, userDismissed, systemDismissed }

    public private(set) var titleVariants: [String]
    public private(set) var subtitleVariants: [String]
    public let image: UIImage?
    public let imageSet: CPImageSet?
    public let primaryAction: CPAlertAction
    public let secondaryAction: CPAlertAction?
    /// Seconds; 0 stays until it is dismissed.
    public let duration: TimeInterval

    public init(
        titleVariants: [String], subtitleVariants: [String]?, image: UIImage?, primaryAction: CPAlertAction, secondaryAction: CPAlertAction?,
        duration: TimeInterval
    ) {
        self.titleVariants = titleVariants
        self.subtitleVariants = subtitleVariants ?? []
        self.image = image
        imageSet = nil
        self.primaryAction = primaryAction
        self.secondaryAction = secondaryAction
        self.duration = duration
        super.init()
    }

    public init(
        titleVariants: [String], subtitleVariants: [String]?, imageSet: CPImageSet?, primaryAction: CPAlertAction, secondaryAction: CPAlertAction?,
        duration: TimeInterval
    ) {
        self.titleVariants = titleVariants
        self.subtitleVariants = subtitleVariants ?? []
        image = nil
        self.imageSet = imageSet
        self.primaryAction = primaryAction
        self.secondaryAction = secondaryAction
        self.duration = duration
        super.init()
    }

    public required convenience nonisolated init?(coder: NSCoder) { return nil }

    open func updateTitleVariants(_ newTitleVariants: [String], subtitleVariants newSubtitleVariants: [String]) {
        titleVariants = newTitleVariants
        subtitleVariants = newSubtitleVariants
    }
}

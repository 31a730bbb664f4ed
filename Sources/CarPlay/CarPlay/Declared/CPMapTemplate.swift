/// Controls over a navigation app's map. Declared, not drawn.
@preconcurrency @MainActor
open class CPMapTemplate: CPTemplate, CPBarButtonProviding {
    public struct PanDirection: OptionSet, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }
        public static let left = PanDirection(rawValue: 1 << 0)
        public static let right = PanDirection(rawValue: 1 << 1)
        public static let up = PanDirection(rawValue: 1 << 2)
        public static let down = PanDirection(rawValue: 1 << 3)
    }

    open weak var mapDelegate: (any CPMapTemplateDelegate)?
    open var mapButtons: [CPMapButton] = []
    open var automaticallyHidesNavigationBar = true
    open var hidesButtonsWithNavigationBar = true
    open var guidanceBackgroundColor = UIColor.black
    open var tripEstimateStyle = CPTripEstimateStyle.dark
    public private(set) var isPanningInterfaceVisible = false
    public private(set) var currentNavigationAlert: CPNavigationAlert?
    open var backButton: CPBarButton?
    open var leadingNavigationBarButtons: [CPBarButton] = []
    open var trailingNavigationBarButtons: [CPBarButton] = []

    public init() { super.init(_template: ()) }

    public required convenience nonisolated init?(coder: NSCoder) { return nil }

    open func showTripPreviews(_ tripPreviews: [CPTrip], textConfiguration: CPTripPreviewTextConfiguration?) {}
    open func showTripPreviews(_ tripPreviews: [CPTrip], selectedTrip: CPTrip?, textConfiguration: CPTripPreviewTextConfiguration?) {}
    open func showRouteChoicesPreview(for tripPreview: CPTrip, textConfiguration: CPTripPreviewTextConfiguration?) {}
    open func hideTripPreviews() {}
    open func startNavigationSession(for trip: CPTrip) -> CPNavigationSession { CPNavigationSession(trip: trip) }
    open func updateEstimates(_ estimates: CPTravelEstimates, for trip: CPTrip) {}
    open func update(_ estimates: CPTravelEstimates, for trip: CPTrip, with timeRemainingColor: CPTimeRemainingColor) {}
    open func present(navigationAlert: CPNavigationAlert, animated: Bool) { currentNavigationAlert = navigationAlert }

    open func dismissNavigationAlert(animated: Bool, completion: @escaping (Bool) -> Void) {
        let wasShown = currentNavigationAlert != nil
        currentNavigationAlert = nil
        Task { completion(wasShown) }
    }

    open func dismissNavigationAlert(animated: Bool) async -> Bool {
        await withCheckedContinuation { continuation in
            dismissNavigationAlert(animated: animated) { continuation.resume(returning: $0) }
        }
    }

    open func showPanningInterface(animated: Bool) { isPanningInterfaceVisible = true }
    open func dismissPanningInterface(animated: Bool) { isPanningInterfaceVisible = false }
}

public enum CPTripEstimateStyle: UInt, Sendable { case light, dark }
public enum CPTimeRemainingColor: UInt, Sendable { case `default`, green, orange, red }

@preconcurrency @MainActor
open class CPMapButton: NSObject, _CPCoding {
    let handler: ((CPMapButton) -> Void)?
    open var isEnabled = true
    open var isHidden = false
    open var image: UIImage?
    open var focusedImage: UIImage?

    public init(handler: ((CPMapButton) -> Void)? = nil) {
        self.handler = handler
        super.init()
    }

    public required convenience nonisolated init?(coder: NSCoder) { return nil }
}

import FasciaAppRuntime

/// Numbers a car leaves to the system. Where Apple states one it is Apple's (carplay developer guide, 2025/2026); the others are
/// this implementation's, marked so.
@MainActor
enum Limits {
    /// Own choice: the guide says only that there is a maximum.
    static let alertActions = 3
    /// Apple: "be ready for 12".
    static let listItemsWithoutTraits = 12
    static let gridButtons = 8
    static let barButtonsEachSide = 2
    static let nowPlayingButtons = 5
    static let informationItems = 10
    static let informationActions = 3

    static var listItems: Int {
        let limit = Int(AppSession.shared.traits.maximumListItems)
        return limit > 0 ? limit : listItemsWithoutTraits
    }

    static var listSections: Int {
        let limit = Int(AppSession.shared.traits.maximumListSections)
        return limit > 0 ? limit : listItemsWithoutTraits
    }
}

/// Images of one image row; fewer may show on narrow screens.
public let CPMaximumNumberOfGridImages = 8
/// Buttons of a grid template; further ones are not shown.
public let CPGridTemplateMaximumItems = 8
// Points. Own choices where the guide gives no figure.
public let CPButtonMaximumImageSize = CGSize(width: 50, height: 50)
public let CPMaximumListSectionImageSize = CGSize(width: 24, height: 24)
public let CPMaximumMessageItemImageSize = CGSize(width: 40, height: 40)
public let CPMaximumMessageItemLeadingDetailTextImageSize = CGSize(width: 16, height: 16)
public let CPNowPlayingButtonMaximumImageSize = CGSize(width: 20, height: 20)
/// Seconds.
public let CPNavigationAlertMinimumDuration: TimeInterval = 5

import FasciaAppLink
import FasciaAppRuntime

/// What an app of a category may show, how deep and in how many tabs. Data, as it changes with the edition of the CarPlay
/// Developer Guide; where an edition's text was not available the value is the latest one known.
package struct CategoryRules: Sendable {
    package enum Edition: Sendable { case mid2025, june2026 }

    /// The edition in force.
    package static let edition = Edition.june2026

    let templates: Set<TemplateKind>
    /// Templates in a stack, root included.
    package let depth: Int
    package let tabs: Int

    @MainActor
    static var current: CategoryRules { rules(for: AppSession.shared.category) }

    package static func rules(for category: AppCategory, edition: Edition = edition) -> CategoryRules {
        CategoryRules(templates: templates(category), depth: depth(category, edition), tabs: category == .audio || category == .video ? 4 : 5)
    }

    /// Developer Guide, "Templates by app category".
    private static func templates(_ category: AppCategory) -> Set<TemplateKind> {
        let basic: Set<TemplateKind> = [.actionSheet, .alert, .grid, .list, .tabBar]
        switch category {
        case .audio, .video: return basic.union([.nowPlaying, .search, .voiceControl])
        case .communication: return basic.union([.information, .nowPlaying, .contact])
        case .navigation: return basic.union([.information, .contact, .map, .search, .voiceControl])
        case .charging, .fueling, .parking: return basic.union([.information, .pointOfInterest, .search, .voiceControl])
        case .quickOrdering, .drivingTask: return basic.union([.information, .pointOfInterest])
        case .publicSafety: return basic.union([.information, .pointOfInterest, .search])
        case .voiceConversation: return [.voiceControl, .list, .alert, .actionSheet]
        }
    }

    /// Developer Guide, "Template hierarchy".
    private static func depth(_ category: AppCategory, _ edition: Edition) -> Int {
        switch category {
        case .audio, .video, .communication, .charging, .parking, .navigation, .publicSafety: 5
        case .fueling, .voiceConversation: 3
        case .drivingTask: edition == .mid2025 ? 2 : 3
        case .quickOrdering: 2
        }
    }
}

import Foundation

/// `UIApplicationSceneManifest` of an Info.plist, class names with `$(PRODUCT_MODULE_NAME)` filled in.
public struct SceneManifest: Sendable, Equatable {
    /// One entry of `UISceneConfigurations`.
    public struct Configuration: Sendable, Equatable {
        /// `UISceneConfigurationName`.
        public let name: String?
        /// `UISceneClassName`.
        public let sceneClass: String?
        /// `UISceneDelegateClassName`, `Module.Class`.
        public let delegateClass: String?
    }

    /// The role of an app's main CarPlay scene.
    public static let carPlayRole = "CPTemplateApplicationSceneSessionRoleApplication"

    /// Path of the Info.plist, for messages.
    public let path: String
    /// Configurations by session role, in the file's order.
    public let configurations: [String: [Configuration]]

    /// The CarPlay scene's configuration called `name`, or the first.
    public func carPlay(named name: String? = nil) -> Configuration? {
        let all = configurations[Self.carPlayRole] ?? []
        return all.first { name != nil && $0.name == name } ?? all.first
    }

    init(_ info: PropertyList) throws(AppBundleError) {
        path = info.path
        guard let manifest = info.dictionary("UIApplicationSceneManifest") else {
            throw AppBundleError(.keyMissing, "\(info.path): key UIApplicationSceneManifest (a dictionary) is missing")
        }
        guard let roles = manifest["UISceneConfigurations"] as? [String: Any] else {
            throw AppBundleError(.keyMissing, "\(info.path): key UIApplicationSceneManifest/UISceneConfigurations (a dictionary) is missing")
        }
        configurations = roles.mapValues { entries in
            (entries as? [[String: Any]] ?? []).map { entry in
                Configuration(
                    name: entry["UISceneConfigurationName"] as? String, sceneClass: info.expanded(entry["UISceneClassName"]),
                    delegateClass: info.expanded(entry["UISceneDelegateClassName"]))
            }
        }
        guard carPlay() != nil else {
            throw AppBundleError(
                .keyMissing,
                "\(info.path): key UIApplicationSceneManifest/UISceneConfigurations/\(Self.carPlayRole) (an array with one dictionary) is missing")
        }
    }
}

import Foundation

/// An app as it lies on disk: an executable and its resources (`Info.plist`, `Entitlements.plist`, images).
public struct AppBundle: Sendable, Equatable {
    /// `CFBundleIdentifier`.
    public let id: String
    /// `CFBundleDisplayName`, else `CFBundleName`, else the executable's name.
    public let name: String
    /// Absolute path of the executable.
    public let executable: String
    /// Absolute path of the directory that holds `Info.plist`.
    public let resources: String
    /// From `Entitlements.plist`; never empty.
    public let categories: Set<AppCategory>
    /// `UIApplicationSceneManifest` of `Info.plist`.
    public let scenes: SceneManifest
    /// Name of the icon file without extension (`CFBundleIconFile`, else `AppIcon`).
    public let iconName: String

    /// The category whose template rules apply: the one of an allowed pair that may use more templates.
    public var category: AppCategory {
        let order: [AppCategory] = [.navigation, .charging, .audio]
        return order.first(where: categories.contains) ?? categories.min { $0.rawValue < $1.rawValue } ?? .audio
    }

    /// The icon as encoded in its file (PNG or JPEG), nil if there is none of at most 4 MiB.
    public func icon() -> [UInt8]? {
        for name in ["\(iconName)@2x.png", "\(iconName)@3x.png", "\(iconName).png", iconName, "\(iconName).jpg"] {
            if let data = BundleFile.contents("\(resources)/\(name)") { return [UInt8](data) }
        }
        return nil
    }

    /// Reads and checks an app.
    /// - Parameters:
    ///   - executable: path of the app's executable.
    ///   - resources: directory with its `Info.plist`; nil looks in the places listed at `AppBundleLayout`.
    /// - Throws: `AppBundleError`, which names the file and key.
    public static func load(executable: String, resources: String? = nil) throws(AppBundleError) -> AppBundle {
        let path = URL(fileURLWithPath: executable).standardizedFileURL.path
        guard FileManager.default.isExecutableFile(atPath: path) else {
            let there = FileManager.default.fileExists(atPath: path)
            throw AppBundleError(
                .executableMissing, there ? "\(path) is not an executable file" : "there is no \(path); build it first, for example with swift build")
        }
        let directory = if let resources { resources } else { try AppBundleLayout.resources(of: path) }
        let stem = AppBundleLayout.name(of: path)
        let info = try PropertyList(path: "\(directory)/Info.plist", product: stem)
        let entitlements = try PropertyList(path: "\(directory)/Entitlements.plist", product: stem, missing: entitlementHelp)
        return try make(info, entitlements, executable: path, stem: stem, resources: directory)
    }

    /// What `load` does once it has the files' contents.
    package static func read(info: Data, entitlements: Data, product: String) throws(AppBundleError) -> AppBundle {
        try make(
            PropertyList(info, path: "Info.plist", product: product), PropertyList(entitlements, path: "Entitlements.plist", product: product),
            executable: product, stem: product, resources: ".")
    }

    private static func make(
        _ info: PropertyList, _ entitlements: PropertyList, executable: String, stem: String, resources: String
    ) throws(AppBundleError) -> AppBundle {
        AppBundle(
            id: try info.string("CFBundleIdentifier"),
            name: info.optionalString("CFBundleDisplayName") ?? info.optionalString("CFBundleName") ?? stem,
            executable: executable,
            resources: resources,
            categories: try categories(entitlements),
            scenes: try SceneManifest(info),
            iconName: info.optionalString("CFBundleIconFile") ?? "AppIcon")
    }

    private static var entitlementHelp: String {
        "It must set one of these keys to true: " + AppCategory.allCases.map(\.entitlement).joined(separator: ", ")
    }

    private static func categories(_ list: PropertyList) throws(AppBundleError) -> Set<AppCategory> {
        let found = Set(AppCategory.allCases.filter { list.bool($0.entitlement) })
        guard !found.isEmpty else {
            let keys = list.keys.isEmpty ? "" : " (its keys: \(list.keys.joined(separator: ", ")))"
            throw AppBundleError(.entitlementMissing, "\(list.path) grants no CarPlay entitlement\(keys). \(entitlementHelp)")
        }
        guard found.count == 1 || AppCategory.combinations.contains(found) else {
            let keys = found.map(\.entitlement).sorted().joined(separator: ", ")
            throw AppBundleError(.entitlementConflict, "\(list.path): an app has one category, these cannot be combined: \(keys)")
        }
        return found
    }
}

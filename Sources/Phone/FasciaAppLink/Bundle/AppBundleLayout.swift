import Foundation

/// Where an app's resources lie beside its executable `App`, first match wins:
///
///     <Package>_App.resources/App.app/    SwiftPM: a target with `.copy("App.app")`
///     App.resources/                      a directory of its own
///     App.app/
///     the executable's own directory      an unpacked `App.app`
public enum AppBundleLayout {
    /// The executable's name, which SwiftPM makes from the target's, hence the module's name too.
    public static func name(of executable: String) -> String {
        URL(fileURLWithPath: executable).lastPathComponent
    }

    /// The directory that holds `Info.plist`.
    /// - Throws: `AppBundleError` `.resourcesMissing`, listing where it looked.
    public static func resources(of executable: String) throws(AppBundleError) -> String {
        let directory = URL(fileURLWithPath: executable).deletingLastPathComponent().path
        let name = name(of: executable)
        var candidates = ["\(directory)/\(name).resources", "\(directory)/\(name).app", directory]
        let entries = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        let packaged = entries.filter { $0.hasSuffix("_\(name).resources") }.sorted()
        candidates.insert(contentsOf: packaged.map { "\(directory)/\($0)/\(name).app" }, at: 0)
        guard let found = candidates.first(where: { FileManager.default.fileExists(atPath: "\($0)/Info.plist") }) else {
            throw AppBundleError(
                .resourcesMissing,
                "no Info.plist found for \(name). Put it with Entitlements.plist in a folder \(name).app beside the target's sources and "
                    + "give the target resources: [.copy(\"\(name).app\")] in Package.swift. Looked in \(candidates.joined(separator: ", "))")
        }
        return found
    }
}

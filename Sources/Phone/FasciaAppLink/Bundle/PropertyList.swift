import Foundation

/// A plist file with a dictionary at its root, read with errors that name the file and key.
struct PropertyList {
    let path: String
    private let values: [String: Any]

    init(path: String) throws(AppBundleError) {
        self.path = path
        guard let data = FileManager.default.contents(atPath: path) else {
            throw AppBundleError(.plistMissing, "\(path) is missing or cannot be read")
        }
        let parsed: Any
        do { parsed = try PropertyListSerialization.propertyList(from: data, format: nil) } catch {
            throw AppBundleError(.plistInvalid, "\(path) is not a property list: \(error.localizedDescription)")
        }
        guard let values = parsed as? [String: Any] else {
            throw AppBundleError(.plistInvalid, "\(path): the root must be a dictionary")
        }
        self.values = values
    }

    func optionalString(_ key: String) -> String? { values[key] as? String }

    func string(_ key: String) throws(AppBundleError) -> String {
        guard let value = optionalString(key), !value.isEmpty else {
            throw AppBundleError(.keyMissing, "\(path): key \(key) (a string) is missing")
        }
        return value
    }

    func bool(_ key: String) -> Bool { values[key] as? Bool ?? false }

    func dictionary(_ key: String) -> [String: Any]? { values[key] as? [String: Any] }
}

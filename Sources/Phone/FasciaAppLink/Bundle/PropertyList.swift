import Foundation

/// An XML property list with a dictionary at its root, read with errors that name the file and key.
struct PropertyList {
    let path: String
    private let values: [String: Any]

    /// What Xcode fills in from the build: `$(PRODUCT_NAME)` and its like.
    private let variables: [String: String]

    /// - Parameters:
    ///   - product: the executable's name, which the build variables are made of.
    ///   - missing: what to say about the way out when there is no such file.
    init(path: String, product: String, missing: String = "") throws(AppBundleError) {
        guard let data = BundleFile.contents(path) else {
            throw AppBundleError(.plistMissing, "\(path) is missing, cannot be read or has more than \(BundleFile.maximumBytes) bytes" + (missing.isEmpty ? "" : ". \(missing)"))
        }
        try self.init(data, path: path, product: product)
    }

    /// From the file's contents.
    init(_ data: Data, path: String, product: String) throws(AppBundleError) {
        self.path = path
        let module = String(product.map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" })
        variables = [
            "PRODUCT_NAME": product, "TARGET_NAME": product, "EXECUTABLE_NAME": product, "PRODUCT_MODULE_NAME": module,
            "PRODUCT_BUNDLE_IDENTIFIER": "local.\(product)",
        ]
        // Foundation's reader of the binary form follows references it has not checked: a broken file takes the phone with it.
        guard !data.starts(with: Array("bplist".utf8)) else {
            throw AppBundleError(
                .plistInvalid,
                "\(path) is a binary property list, only XML is read: convert it with plutil -convert xml1 (macOS) or plistutil (libplist-utils)")
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

    /// The root's keys, sorted.
    var keys: [String] { values.keys.sorted() }

    func optionalString(_ key: String) -> String? { expanded(values[key]) }

    /// A string with its build variables filled in; those that are not known here stay as they are.
    func expanded(_ value: Any?) -> String? {
        guard let text = value as? String else { return nil }
        return variables.reduce(text) { text, variable in
            text.replacingOccurrences(of: "$(\(variable.key))", with: variable.value)
                .replacingOccurrences(of: "${\(variable.key)}", with: variable.value)
        }
    }

    func string(_ key: String) throws(AppBundleError) -> String {
        guard let value = optionalString(key), !value.isEmpty else {
            throw AppBundleError(.keyMissing, "\(path): key \(key) (a string) is missing; Xcode may generate it, here it is written in the file")
        }
        return value
    }

    func bool(_ key: String) -> Bool { values[key] as? Bool ?? false }

    func dictionary(_ key: String) -> [String: Any]? { values[key] as? [String: Any] }
}

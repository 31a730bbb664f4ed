import FasciaAppLink
import Foundation
import Testing

/// What is missing or wrong in an app's files is said with file and key.
struct AppBundleTests {
    private func error(plist: String? = ScriptApp.plist, entitlements: String? = ScriptApp.entitlements, name: String = "script") throws -> AppBundleError? {
        let directory = try ScriptApp.make("exit 0", plist: plist, entitlements: entitlements)
        defer { try? FileManager.default.removeItem(at: directory) }
        do {
            _ = try AppBundle.load(executable: directory.appendingPathComponent(name).path)
            return nil
        } catch { return error }
    }

    @Test func complete() throws { #expect(try error() == nil) }

    @Test func missingExecutable() throws { #expect(try error(name: "nobody")?.code == .executableMissing) }

    @Test func missingInfoPlist() throws { #expect(try error(plist: nil)?.code == .resourcesMissing) }

    @Test func brokenInfoPlist() throws {
        let error = try error(plist: "<plist><dict>")
        #expect(error?.code == .plistInvalid)
        #expect(error?.description.contains("Info.plist") == true)
    }

    /// Found by fuzzing: a set where a dictionary is meant takes Foundation's reader of the binary form down.
    @Test func binaryPropertyListsAreRefused() throws {
        let error = try error(plist: "bplist00\u{01}")
        #expect(error?.code == .plistInvalid)
        #expect(error?.description.contains("plutil -convert xml1") == true)
    }

    /// An app's files are anything: an endless one is refused like one that is missing.
    @Test func endlessPropertyListsAreRefused() throws {
        let directory = try ScriptApp.make("exit 0")
        defer { try? FileManager.default.removeItem(at: directory) }
        let list = directory.appendingPathComponent("script.app/Entitlements.plist").path
        let place = FileManager.default.fileExists(atPath: list) ? list : directory.appendingPathComponent("Entitlements.plist").path
        try FileManager.default.removeItem(atPath: place)
        try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: "/dev/zero")
        #expect(throws: AppBundleError.self) { try AppBundle.load(executable: directory.appendingPathComponent("script").path) }
        try FileManager.default.removeItem(atPath: place)
        try #require(mkfifo(place, 0o600) == 0)
        #expect(throws: AppBundleError.self, "nor is anybody waited for who might write it") { try AppBundle.load(executable: directory.appendingPathComponent("script").path) }
        try FileManager.default.removeItem(atPath: place)
        try Data(count: 4_194_305).write(to: URL(fileURLWithPath: place))
        #expect(throws: AppBundleError.self) { try AppBundle.load(executable: directory.appendingPathComponent("script").path) }
    }

    @Test func missingKeyIsNamed() throws {
        let error = try error(plist: "<plist version=\"1.0\"><dict/></plist>")
        #expect(error?.code == .keyMissing)
        #expect(error?.description.contains("CFBundleIdentifier") == true)
    }

    @Test func missingScene() throws {
        let plist = ScriptApp.plist.replacingOccurrences(of: "CPTemplateApplicationSceneSessionRoleApplication", with: "Other")
        #expect(try error(plist: plist)?.description.contains("CPTemplateApplicationSceneSessionRoleApplication") == true)
    }

    @Test func missingEntitlements() throws {
        #expect(try error(entitlements: nil)?.code == .plistMissing)
        let empty = try error(entitlements: "<plist version=\"1.0\"><dict/></plist>")
        #expect(empty?.code == .entitlementMissing)
        #expect(empty?.description.contains("com.apple.developer.carplay-audio") == true)
        let old = try error(entitlements: "<plist version=\"1.0\"><dict><key>com.apple.developer.playable-content</key><true/></dict></plist>")
        #expect(old?.description.contains("playable-content") == true)
    }

    /// Both ways out are in the message: where the files go and how the package names them.
    @Test func missingFolderSaysWhereItGoes() throws {
        #expect(try error(plist: nil)?.description.contains("resources: [.copy(\"script.app\")]") == true)
    }

    @Test func buildVariablesAreFilledIn() throws {
        let plist = ScriptApp.plist.replacingOccurrences(of: "test.script", with: "$(PRODUCT_BUNDLE_IDENTIFIER)")
            .replacingOccurrences(of: "<dict>\n<key>CFBundleIdentifier", with: "<dict>\n<key>CFBundleName</key><string>My ${PRODUCT_NAME} $(OTHER)</string><key>CFBundleIdentifier")
        let directory = try ScriptApp.make("exit 0", plist: plist)
        defer { try? FileManager.default.removeItem(at: directory) }
        let bundle = try AppBundle.load(executable: directory.appendingPathComponent("script").path)
        #expect(bundle.id == "local.script")
        #expect(bundle.name == "My script $(OTHER)")
        #expect(bundle.scenes.carPlay()?.delegateClass == "script.Scene")
    }

    @Test func conflictingEntitlements() throws {
        let both = "<plist version=\"1.0\"><dict><key>com.apple.developer.carplay-audio</key><true/><key>com.apple.developer.carplay-maps</key><true/></dict></plist>"
        #expect(try error(entitlements: both)?.code == .entitlementConflict)
        let pair = "<plist version=\"1.0\"><dict><key>com.apple.developer.carplay-charging</key><true/><key>com.apple.developer.carplay-fueling</key><true/></dict></plist>"
        #expect(try error(entitlements: pair) == nil)
    }
}

import Foundation

/// The checkout these programs were built from.
public enum PackageFolder {
    /// - Throws: when neither the program nor the working directory lies in it.
    public static func find() throws -> URL {
        for start in [URL(fileURLWithPath: Programs.own()), URL(fileURLWithPath: FileManager.default.currentDirectoryPath + "/x")] {
            var folder = start.deletingLastPathComponent()
            while folder.path != "/" {
                if FileManager.default.fileExists(atPath: folder.path + "/Fixtures/manifest.json") { return folder }
                folder.deleteLastPathComponent()
            }
        }
        throw ToolError("this needs the sources of Fascia: run it from their folder")
    }
}

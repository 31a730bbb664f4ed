import Glibc

extension FuzzTarget {
    /// In the environment of a fuzzing program: which target it runs. One program holds several, so that there is one to build.
    public static let environmentKey = "FASCIA_FUZZ_TARGET"

    /// The target the environment asks for; ends the process when there is none of that name.
    public static func named(_ targets: [FuzzTarget]) -> FuzzTarget {
        let name = unsafe getenv(environmentKey).map { unsafe String(cString: $0) } ?? ""
        guard let target = targets.first(where: { $0.name == name }) else {
            fatalError("\(environmentKey) is \"\(name)\"; it is one of \(targets.map(\.name))")
        }
        return target
    }

    /// The entry of a fuzzer: a finding ends the process.
    public func run(_ bytes: UnsafePointer<UInt8>?, _ count: Int) {
        let input = unsafe Array(UnsafeBufferPointer(start: bytes, count: bytes == nil ? 0 : count))
        if let finding = check(input) { fatalError("\(name): \(finding)") }
    }

    /// Checks every file of a folder; a finding ends the process.
    public func replay(_ folder: String) {
        for file in Self.files(of: folder) {
            if let finding = check(Self.contents("\(folder)/\(file)")) { fatalError("\(name): \(file): \(finding)") }
        }
    }

    /// Names of the plain files in a folder, sorted.
    public static func files(of folder: String) -> [String] {
        guard let directory = unsafe opendir(folder) else { return [] }
        defer { unsafe closedir(directory) }
        var names: [String] = []
        while let entry = unsafe readdir(directory) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    /// Empty for what cannot be read.
    public static func contents(_ path: String) -> [UInt8] {
        guard let file = unsafe fopen(path, "rb") else { return [] }
        defer { unsafe fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe fread(&buffer, 1, buffer.count, file)
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
    }
}

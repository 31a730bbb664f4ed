/// The files with code in a process, out of /proc/PID/maps.
enum MemoryMap {
    static let maximumImages = 512

    /// ```
    /// 7f0984e45000-7f0984e6b000 r--p 00000000 fe:00 1234    /usr/lib/x86_64-linux-gnu/libc.so.6
    /// ```
    static func images(maps: String) -> [LoadedImage] {
        var images: [LoadedImage] = []
        var bases: [Substring: UInt64] = [:]
        for line in maps.split(separator: "\n") {
            let fields = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
            // The path is padded to a column, and may hold spaces.
            guard fields.count == 6, case let path = fields[5].drop(while: { $0 == " " }), path.first == "/", let range = range(fields[0]), let offset = UInt64(fields[2], radix: 16) else { continue }
            if offset == 0, bases[path] == nil { bases[path] = range.start }
            guard fields[1].contains("x"), let base = bases[path], images.count < maximumImages else { continue }
            if let index = images.firstIndex(where: { $0.path == path }) {
                images[index].end = max(images[index].end, range.end)
            } else {
                images.append(LoadedImage(path: String(path), base: base, end: range.end))
            }
        }
        return images.sorted { $0.base < $1.base }
    }

    private static func range(_ text: Substring) -> (start: UInt64, end: UInt64)? {
        let ends = text.split(separator: "-").compactMap { UInt64($0, radix: 16) }
        return ends.count == 2 && ends[0] < ends[1] ? (ends[0], ends[1]) : nil
    }
}

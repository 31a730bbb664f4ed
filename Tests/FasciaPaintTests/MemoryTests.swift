import FasciaPaint
import Foundation
import Testing

/// What a painter adds to a process; the head unit and the phone have budgets.
@Suite(.serialized) struct MemoryTests {
    /// Resident memory, kB.
    static func resident() -> Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        return status.split(separator: "\n").first { $0.hasPrefix("VmRSS") }.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }

    @Test func aPainterIsSmall() throws {
        let before = Self.resident()
        let painter = try Painter()
        let made = Self.resident()
        for size in [22.0, 26, 28, 32, 36] {
            for text in ["Norwegian Wood", "Чайковский", "The Beatles"] { _ = painter.text(text, TextStyle(size: size, weight: size > 30 ? .semibold : .regular)) }
        }
        let latin = Self.resident()
        for text in ["東京の夜", "فيروز", "서울", "北京", "שלום"] { _ = painter.text(text, TextStyle(size: 32)) }
        let all = Self.resident()
        print("painter: \(made - before) kB, Latin and Cyrillic texts: \(latin - made) kB, other scripts: \(all - latin) kB")
        #expect(all - before < 40_000)
    }
}

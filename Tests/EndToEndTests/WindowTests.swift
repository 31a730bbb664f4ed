import FasciaPaint
import FasciaScene
import Foundation
import Testing

/// The window as a person has it: real pixels on a real X server, a real mouse.
extension EndToEnd {
    @Suite struct WindowTests {
        static let width = 800, height = 480

        /// Where they differ; nil when the X server shows what the head unit says it shows.
        func difference(_ bench: TestBench, _ display: VirtualDisplay, _ painter: Painter) async throws -> String? {
            let file = bench.path("screen.png")
            try await bench.console("screenshot \"\(file)\"")
            let shown = try display.pixels()
            let encoded = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
            let image = try painter.image(encoded: encoded, width: Self.width, height: Self.height, mode: .fill, cornerRadius: 0)
            guard shown.width == Self.width, shown.height == Self.height, image.pixels.count == shown.bytes.count else {
                return "\(shown.width)x\(shown.height) pixels on the X server"
            }
            let off = (0..<image.pixels.count).first { $0 % 4 != 3 && image.pixels[$0] != shown.bytes[$0] }
            return off.map { "pixel \($0 / 4 % Self.width), \($0 / 4 / Self.width)" }
        }

        /// A frame may be on its way: asks again.
        func requireSamePicture(_ bench: TestBench, _ display: VirtualDisplay, _ painter: Painter) async throws {
            var last: String?
            for _ in 0..<600 {
                last = try await difference(bench, display, painter)
                if last == nil { return }
                try await bench.console("sleep 0.05")
            }
            Issue.record("the window never showed what the screenshot says: \(last ?? "")")
        }

        /// The middle of what says `label`, pixels.
        func place(_ label: String, _ bench: TestBench) async throws -> (x: Int, y: Int) {
            func search(_ nodes: Any?) -> [Double]? {
                for node in nodes as? [[String: Any]] ?? [] {
                    if node["label"] as? String == label, let frame = node["frame"] as? [Double] { return frame }
                    if let frame = search(node["children"]) { return frame }
                }
                return nil
            }
            let tree = try JSONSerialization.jsonObject(with: Data(try await bench.console("tree").utf8)) as? [String: Any]
            let frame = try #require(search(tree?["nodes"]), "nothing says \(label)")
            return (Int(frame[0] + frame[2] / 2), Int(frame[1] + frame[3] / 2))
        }

        @Test func theWindowShowsTheScreenAndTakesMouseAndWheel() async throws {
            let bench = try TestBench()
            let display = try await VirtualDisplay(width: Self.width, height: Self.height, in: bench.directory.path)
            let painter = try Painter()
            try await bench.openAppDirectly(display: display.name)
            try await requireSamePicture(bench, display, painter)
            let browse = try await place("Browse", bench)
            try await display.person("mousemove", "\(browse.x)", "\(browse.y)", "click", "1")
            try await bench.console("wait Moods 30")
            try await requireSamePicture(bench, display, painter)
            try await display.person("click", "5", "click", "5")
            try await bench.waitForTree("\"focused\":true")
            try await display.person("key", "h")
            try await bench.console("wait \"Rubber Soul\" 30")
            try await requireSamePicture(bench, display, painter)
        }

        @Test func aDisplayThatDoesNotAnswerIsNamed() async throws {
            let bench = try TestBench()
            let headUnit = try await bench.startHeadUnit(["--no-discovery", "--listen", "127.0.0.1:0"], display: ":4711")
            #expect(try await headUnit.exitStatus() == 1)
            #expect(headUnit.transcript.contains(":4711") && headUnit.transcript.contains("--headless"), "\(headUnit.transcript)")
        }
    }
}

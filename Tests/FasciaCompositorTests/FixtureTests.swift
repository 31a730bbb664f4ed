import FasciaScene
import FasciaWire
import FoundationEssentials
import Testing
@testable import FasciaCompositor

/// The golden vectors of `Fixtures/`, made by another implementation (kinds `resource` and `display`).
@Suite struct FixtureTests {
    struct Manifest: Decodable {
        var fixtures: [Fixture]
    }
    struct Fixture: Decodable {
        struct Expectation: Decodable {
            struct Failure: Decodable { var code: String }
            var applied: [UInt32]?
            var layers: [UInt32]?
            var resources: [UInt32]?
            var pixels: String?
            var error: Failure?
        }
        var name: String
        var kind: String
        var file: String?
        var screen: [Int]?
        var zstd: Bool?
        var at_ms: UInt64?
        var tolerance: Int?
        var expect: Expectation
    }

    static let folder = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 } + "/Fixtures/"

    static func fixtures(_ kind: String) throws -> [Fixture] {
        let data = try #require(FileManager.default.contents(atPath: folder + "manifest.json"))
        // Other kinds have expectations of other shapes: they are read away one by one.
        struct Lenient: Decodable {
            var value: Fixture?
            init(from decoder: any Decoder) throws { value = try? Fixture(from: decoder) }
        }
        struct Document: Decodable { var fixtures: [Lenient] }
        let found = try JSONDecoder().decode(Document.self, from: data).fixtures.compactMap(\.value).filter { $0.kind == kind }
        try #require(!found.isEmpty)
        return found
    }

    static func bytes(_ hex: some StringProtocol) -> [UInt8] {
        let digits = hex.utf8.filter { $0 > 0x20 }.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    static func file(_ fixture: Fixture) throws -> [UInt8] {
        let data = try #require(FileManager.default.contents(atPath: folder + (fixture.file ?? "")))
        return String(decoding: data, as: UTF8.self).split(separator: "\n").flatMap { line -> [UInt8] in
            let text = line.prefix { $0 != "#" }
            guard let star = text.firstIndex(of: "*") else { return bytes(text) }
            let count = Int(text[..<star].filter { !$0.isWhitespace }) ?? 0
            return Array(repeating: bytes(text[text.index(after: star)...]), count: count).flatMap { $0 }
        }
    }

    /// Type and body of every message on the display channel.
    static func messages(_ stream: [UInt8]) -> [(type: UInt16, body: [UInt8])] {
        var found: [(UInt16, [UInt8])] = []
        var open: [UInt8] = []
        var rest = stream[...]
        while rest.count >= 8 {
            let header = Array(rest.prefix(8))
            let length = Int(header[0]) << 16 | Int(header[1]) << 8 | Int(header[2])
            open += rest.dropFirst(8).prefix(length)
            rest = rest.dropFirst(8 + length)
            guard header[3] == 1 else { open = []; continue }
            if header[4] & 2 != 0 {
                found.append((UInt16(open[0]) << 8 | UInt16(open[1]), Array(open.dropFirst(2))))
                open = []
            }
        }
        return found
    }

    @Test func resources() throws {
        for fixture in try Self.fixtures("resource") {
            let body = try Self.file(fixture)
            let store = ResourceStore()
            store.acceptsCompressed = fixture.zstd ?? true
            let failure = code { () throws(DisplayError) in try store.store(body) }
            #expect((failure == nil) == (fixture.expect.error == nil), "\(fixture.name): \(String(describing: failure))")
            guard fixture.expect.error == nil, let pixels = fixture.expect.pixels else { continue }
            let image = try EncodedResource(body).decode(limits: DisplayLimits(), bytesInUse: 0)
            #expect(image.pixels == Self.bytes(pixels), "\(fixture.name)")
        }
    }

    @Test func display() throws {
        for fixture in try Self.fixtures("display") {
            let screen = try #require(fixture.screen)
            let scene = LayerScene(limits: DisplayLimits(screenWidth: screen[0], screenHeight: screen[1]))
            scene.resources.acceptsCompressed = fixture.zstd ?? true
            let compositor = Compositor(width: screen[0], height: screen[1], scenes: [scene])
            var applied: [UInt32] = []
            var failure: String?
            for message in Self.messages(try Self.file(fixture)) where failure == nil {
                do {
                    switch message.type {
                    case MessageType.resource: try scene.resources.store(message.body)
                    case MessageType.releaseResources: scene.resources.release(try ReleaseResources(serializedBytes: message.body).ids)
                    case MessageType.commit:
                        try scene.apply(try Commit(serializedBytes: message.body))
                        applied.append(scene.sequence)
                        compositor.compose(at: 1_000)
                    default: break
                    }
                } catch is DisplayError {
                    failure = message.type == MessageType.commit ? "BAD_COMMIT" : "BAD_RESOURCE"
                }
            }
            #expect(failure == fixture.expect.error?.code, "\(fixture.name)")
            #expect(applied == fixture.expect.applied, "\(fixture.name)")
            if let layers = fixture.expect.layers { #expect(scene.tree.drawOrder.map(\.properties.id) == layers, "\(fixture.name)") }
            if let resources = fixture.expect.resources { #expect(resources.allSatisfy { scene.resources[$0] != nil } && scene.resources.count == resources.count, "\(fixture.name)") }
            guard let pixels = fixture.expect.pixels.map({ Self.bytes($0) }) else { continue }
            compositor.compose(at: 1_000 + (fixture.at_ms ?? 0) * 1_000_000)
            let drawn = compositor.snapshot()
            let worst = zip(drawn, pixels).map { abs(Int($0) - Int($1)) }.max() ?? 0
            #expect(drawn.count == pixels.count && worst <= fixture.tolerance ?? 0, "\(fixture.name): off by \(worst), tolerance \(fixture.tolerance ?? 0)")
        }
    }
}

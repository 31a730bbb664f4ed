import FasciaPaint
import FasciaScene
import Foundation
import Testing

@Suite struct TextTests {
    let painter: Painter
    init() throws { painter = try Painter() }

    @Test func inkIsTightAndPlaced() throws {
        let label = painter.label("Hxg", TextStyle(size: 32))
        let image = try #require(label.image)
        #expect(image.format == .a8)
        #expect(image.width <= label.width + 2 && image.height < label.height)
        #expect(label.inkY >= 0 && label.inkY < label.baseline && label.inkY + image.height > label.baseline)
        // The first ink row and column hold ink.
        #expect(image.pixels[0..<image.width].contains { $0 > 0 })
        #expect(stride(from: 0, to: image.pixels.count, by: image.width).contains { image.pixels[$0] > 0 })
    }

    @Test func spacesHaveNoInk() {
        #expect(painter.text("  ", TextStyle(size: 20)) == nil)
        #expect(painter.text("", TextStyle(size: 20)) == nil)
    }

    @Test func longTextIsCutAtTheWidth() throws {
        let label = painter.label(String(repeating: "Wagner ", count: 400), TextStyle(size: 20, maxWidth: 200))
        #expect(label.truncated && label.lines == 1 && label.width <= 200)
        let two = painter.label(String(repeating: "Wagner ", count: 400), TextStyle(size: 20, maxWidth: 200, maxLines: 2))
        #expect(two.truncated && two.lines == 2 && two.lastBaseline > two.baseline)
    }

    @Test(arguments: ["東京の夜", "서울", "北京欢迎你", "Чайковский", "فيروز", "שלום", "ไทย", "हिन्दी", "Ελλάδα"])
    func scriptsAreNotTofu(_ title: String) throws {
        // A missing glyph is drawn as a box with its code: never the same ink as the real one, and Pango reports it.
        let label = painter.label(title, TextStyle(size: 32))
        #expect(label.image != nil)
        #expect(painter.unknownGlyphs(in: title) == 0)
    }

    @Test func directionFollowsTheScript() {
        #expect(painter.label("فيروز", TextStyle(size: 20)).rightToLeft)
        #expect(!painter.label("Fairuz", TextStyle(size: 20)).rightToLeft)
    }

    @Test func cachesAreBounded() {
        var cache = ByteLRU<Int, Int>(capacity: 1_000)
        for i in 0..<100 { cache.insert(i, for: i, cost: 50) }
        #expect(cache.bytes <= 1_000)
        #expect(cache.value(for: 99) == 99 && cache.value(for: 0) == nil)
        cache.insert(1, for: 1, cost: 600)
        #expect(cache.value(for: 1) == nil)
    }
}

@Suite struct IconTests {
    @Test func everySymbolHasAGlyphOfTheFont() throws {
        let painter = try Painter()
        let ring = painter.icon(Icon(symbolName: "no.such.symbol"), size: 48)
        for name in Icon.symbolNames where !name.hasPrefix("circle") {
            let image = painter.icon(Icon(symbolName: name), size: 48)
            #expect(image.hash != ring.hash, "\(name) is drawn as the neutral ring")
        }
    }

    @Test func unknownSymbolIsReportedOnce() throws {
        let painter = try Painter()
        var reported: [String] = []
        painter.onUnknownSymbol = { reported.append($0) }
        _ = painter.symbol("wibble.wobble", size: 20)
        _ = painter.symbol("wibble.wobble", size: 40)
        _ = painter.symbol("play.fill", size: 40)
        #expect(reported == ["wibble.wobble"])
    }

    @Test func skipArrowsDiffer() throws {
        let painter = try Painter()
        let images = ["goforward.15", "goforward.30", "gobackward.15", "goforward"].map { painter.symbol($0, size: 48).hash }
        #expect(Set(images).count == 4)
    }
}

@Suite struct ImageTests {
    let painter: Painter
    init() throws { painter = try Painter() }

    func png(_ width: Int, _ height: Int) -> [UInt8] {
        Painter.png(bgra: (0..<width * height).flatMap { (i: Int) -> [UInt8] in [UInt8(i % 251), 100, 200, 255] }, width: width, height: height)
    }

    @Test func roundTripKeepsPixels() throws {
        let source: [UInt8] = (0..<16).flatMap { (i: Int) -> [UInt8] in [UInt8(i * 16), 10, 20, 255] }
        let image = try painter.image(encoded: Painter.png(bgra: source, width: 4, height: 4), width: 4, height: 4)
        #expect(image.pixels == source)
    }

    @Test func sizeIsExact() throws {
        for (width, height) in [(37, 91), (400, 20), (1, 1)] {
            let image = try painter.image(encoded: png(64, 48), width: width, height: height, mode: .fit, cornerRadius: 5)
            #expect(image.width == width && image.height == height && image.format == .bgra8)
        }
    }

    @Test func cornersAreClear() throws {
        let image = try painter.image(encoded: png(64, 64), width: 32, height: 32, cornerRadius: 16)
        #expect(image.pixels[3] == 0)
        #expect(image.pixels[(16 * 32 + 16) * 4 + 3] == 255)
    }

    @Test func brokenBytesAreNamed() {
        func code(_ bytes: [UInt8]) -> PaintError.Code? {
            do { _ = try painter.image(encoded: bytes, width: 10, height: 10); return nil } catch { return error.code }
        }
        #expect(code([]) == .corruptImage)
        #expect(code(Array("hello".utf8)) == .unsupportedImage)
        #expect(code(Array(png(64, 64).prefix(80))) == .corruptImage)
        #expect(code(Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8)) == .unsupportedImage)
        // Its loader would ask for the 4 GB that bytes 10 to 13 claim.
        #expect(code(Array("BM".utf8) + Array(repeating: 0xF4, count: 98)) == .unsupportedImage)
        var wrong = png(64, 64)
        for at in 40..<60 where at < wrong.count { wrong[at] ^= 0xFF }
        #expect(code(wrong) == .corruptImage)
    }

    @Test func bombsAreRefusedBeforeDecoding() {
        // A PNG header that claims 60,000 x 60,000 pixels.
        var bomb = png(8, 8)
        bomb.replaceSubrange(16..<24, with: [0, 0, 0xEA, 0x60, 0, 0, 0xEA, 0x60])
        bomb.replaceSubrange(29..<33, with: crc32(Array(bomb[12..<29])))
        #expect { try painter.image(encoded: bomb, width: 10, height: 10) } throws: { ($0 as? PaintError)?.code == .imageTooLarge }
    }

    @Test func animatedGIFIsRefused() {
        let frame: [UInt8] = [0x2C, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0]
        let head: [UInt8] = Array("GIF89a".utf8) + [1, 0, 1, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]
        #expect(throws: Never.self) { try painter.image(encoded: head + frame + [0x3B], width: 4, height: 4) }
        #expect { try painter.image(encoded: head + frame + frame + [0x3B], width: 4, height: 4) } throws: { ($0 as? PaintError)?.code == .animatedImage }
    }

    private func crc32(_ bytes: [UInt8]) -> [UInt8] {
        var crc: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
        }
        crc ^= 0xFFFF_FFFF
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: crc >> $0) }
    }
}

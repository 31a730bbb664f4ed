import FasciaScene
import Testing
@testable import FasciaCompositor

/// Golden pixels of every kind of content.
@Suite struct DrawingTests {
    @Test func solidLiesOnTheBackground() throws {
        let picture = try Picture(frame(layer(1, 1, 1, 2, 1, .solid(red)), background: Color(0, 0, 255)), width: 4, height: 3)
        #expect(picture.reds == ["....", ".##.", "...."])
        #expect(picture.rgb(0, 0) == 0x0000FF)
        #expect(picture.pixels.enumerated().allSatisfy { $0.offset % 4 != 3 || $0.element == 255 })
    }

    @Test func siblingsAreDrawnByOrderThenIdentifier() throws {
        let green = Color(0, 255, 0)
        var picture = try Picture(frame(layer(1, order: 2, 0, 0, 1, 1, .solid(red)), layer(2, order: 1, 0, 0, 1, 1, .solid(green))), width: 1, height: 1)
        #expect(picture.rgb(0, 0) == 0xFF0000)
        picture = try Picture(frame(layer(1, 0, 0, 1, 1, .solid(red)), layer(2, 0, 0, 1, 1, .solid(green))), width: 1, height: 1)
        #expect(picture.rgb(0, 0) == 0x00FF00)
    }

    @Test func opacityMultipliesDownTheTree() throws {
        let picture = try Picture(frame(layer(1, 0, 0, 2, 1) { $0.opacity = 0.5 }, layer(2, parent: 1, 0, 0, 1, 1, .solid(red)) { $0.opacity = 0.5 }),
                                  width: 2, height: 1)
        #expect((63...65).contains(picture.rgb(0, 0) >> 16))
    }

    @Test func premultipliedPictureIsBlendedOver() throws {
        // Half transparent red, premultiplied, over white.
        let image = try raster(.bgra8, 1, 1, [0, 0, 128, 128])
        let picture = try Picture(frame(layer(1, 0, 0, 1, 1, .image(image, tint: nil)), background: white), width: 1, height: 1)
        #expect(picture.rgb(0, 0) == 0xFF7F7F)
    }

    @Test func maskTakesTheTint() throws {
        let mask = try raster(.a8, 3, 1, [0, 128, 255])
        let picture = try Picture(frame(layer(1, 0, 0, 3, 1, .image(mask, tint: red))), width: 3, height: 1)
        #expect(picture.reds == [".8#"])
    }

    @Test func clipCutsDescendantsAndScrollMovesThem() throws {
        let picture = try Picture(frame(
            layer(1, 1, 0, 2, 3) { $0.clip = true; $0.scrollY = 1 },
            layer(2, parent: 1, -1, 0, 5, 2, .solid(red))), width: 4, height: 3)
        #expect(picture.reds == [".##.", "....", "...."])
    }

    @Test func pictureIsScaledToItsLayer() throws {
        let mask = try raster(.a8, 1, 1, [255])
        let picture = try Picture(frame(layer(1, 1, 1, 2, 2, .image(mask, tint: red))), width: 4, height: 4)
        #expect(picture.reds == ["....", ".##.", ".##.", "...."])
    }

    @Test func quarterTurnMovesPixelsClockwise() throws {
        let mask = try raster(.a8, 3, 3, [255, 0, 0, 0, 0, 0, 0, 0, 0])
        let picture = try Picture(frame(layer(1, 0, 0, 3, 3, .image(mask, tint: red)) { $0.rotation = 90 }), width: 3, height: 3)
        #expect(picture.reds == ["..#", "...", "..."])
    }

    @Test func solidCanBeTurned() throws {
        let picture = try Picture(frame(layer(1, 2, 0, 1, 5, .solid(red)) { $0.rotation = 90 }), width: 5, height: 5)
        #expect(picture.reds[2] == "#####")
        #expect(picture.rgb(2, 0) >> 16 < 64)
    }

    @Test func roundedCornersAreSoftAndSymmetric() throws {
        let picture = try Picture(frame(layer(1, 0, 0, 8, 8, .solid(red)) { $0.cornerRadius = 4 }), width: 8, height: 8)
        #expect(picture.reds == [
            ".3bffb3.", "3f####f3", "b######b", "f######f", "f######f", "b######b", "3f####f3", ".3bffb3.",
        ])
    }

    @Test(arguments: [7, 8, 15]) func everyKindOfContentGetsTheSameCorners(side: Int) throws {
        let size = Float(side)
        let opaque = try raster(.bgra8, side, side, [UInt8](repeating: 0, count: side * side).flatMap { _ in [0, 0, 255, 255] as [UInt8] })
        let mask = try raster(.a8, side, side, [UInt8](repeating: 255, count: side * side))
        let kinds: [SceneLayer.Content] = [.solid(red), .image(opaque, tint: nil), .image(mask, tint: red), .gradient(top: red, bottom: red)]
        let pictures = try kinds.map { try Picture(frame(layer(1, 0, 0, size, size, $0) { $0.cornerRadius = 99 }), width: side, height: side).reds }
        #expect(Set(pictures).count == 1)
        #expect(pictures[0] == pictures[0].reversed())
        #expect(pictures[0].allSatisfy { $0 == String($0.reversed()) })
    }

    @Test func borderLiesInsideTheFrame() throws {
        let picture = try Picture(frame(layer(1, 1, 1, 5, 4) { $0.border = .init(width: 1, color: red) }), width: 7, height: 6)
        #expect(picture.reds == [".......", ".#####.", ".#...#.", ".#...#.", ".#####.", "......."])
    }

    @Test func roundedBorderFollowsTheCorner() throws {
        let picture = try Picture(frame(layer(1, 0, 0, 9, 9) { $0.border = .init(width: 2, color: red); $0.cornerRadius = 4 }), width: 9, height: 9)
        #expect(picture.reds[4] == "##.....##")
        #expect(picture.reds[0].first == ".")
        #expect(picture.reds == picture.reds.reversed())
    }

    @Test func gradientRunsFromTopToBottom() throws {
        let picture = try Picture(frame(layer(1, 0, 0, 1, 4, .gradient(top: black, bottom: white))), width: 1, height: 4)
        for (row, exact) in [31.875, 95.625, 159.375, 223.125].enumerated() { #expect(abs(Double(picture.rgb(0, row) >> 16) - exact) < 1) }
    }

    /// A gradient flatter than one step a row is dithered: no row is one colour where the exact value lies between two.
    @Test func flatGradientsHaveNoBands() throws {
        let picture = try Picture(frame(layer(1, 0, 0, 8, 64, .gradient(top: Color(20, 20, 20), bottom: Color(28, 28, 28)))), width: 8, height: 64)
        for y in 0..<64 {
            let mean = (0..<8).map { Double(picture.rgb($0, y) & 0xFF) }.reduce(0, +) / 8, exact = 20 + 8 * (Double(y) + 0.5) / 64
            #expect(abs(mean - exact) <= 0.5)
        }
        let even = try Picture(frame(layer(1, 0, 0, 8, 8, .gradient(top: Color(20, 90, 200), bottom: Color(20, 90, 200)))), width: 8, height: 8)
        #expect(Set((0..<64).map { even.rgb($0 % 8, $0 / 8) }) == [0x145AC8])
    }

    @Test func hugeAndTinyLayersDoNoHarm() throws {
        let mask = try raster(.a8, 2, 2, [255, 255, 255, 255])
        let big: Float = 1_000_000
        let picture = try Picture(frame(
            layer(1, -big, -big, 2 * big / 2, 2 * big / 2, .solid(red)) { $0.cornerRadius = big; $0.border = .init(width: big, color: red) },
            layer(2, -big / 2, -big / 2, big, big, .image(mask, tint: red)) { $0.rotation = 45 },
            layer(3, 0, 0, 0.2, 0.2, .solid(red)),
            layer(4, -big / 2, -big / 2, big, big, .gradient(top: red, bottom: white)) { $0.rotation = 7; $0.cornerRadius = 3 }), width: 2, height: 2)
        #expect(picture.pixels.count == 16)
    }
}

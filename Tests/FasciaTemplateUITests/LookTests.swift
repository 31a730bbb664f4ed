import Foundation
import FasciaPaint
import FasciaScene
import FasciaWire
import Testing
@testable import FasciaTemplateUI

@Suite struct ContrastTests {
    static func luminance(_ color: Color) -> Double {
        func linear(_ value: UInt8) -> Double {
            let c = Double(value) / 255
            return c <= 0.03928 ? c / 12.92 : c > 0 ? exp2(log2((c + 0.055) / 1.055) * 2.4) : 0
        }
        return 0.2126 * linear(color.red) + 0.7152 * linear(color.green) + 0.0722 * linear(color.blue)
    }

    static func over(_ top: Color, _ bottom: Color) -> Color {
        let alpha = Double(top.alpha) / 255
        func mix(_ a: UInt8, _ b: UInt8) -> UInt8 { UInt8((Double(a) * alpha + Double(b) * (1 - alpha)).rounded()) }
        return Color(mix(top.red, bottom.red), mix(top.green, bottom.green), mix(top.blue, bottom.blue))
    }

    static func ratio(_ a: Color, _ b: Color) -> Double {
        let one = luminance(a), other = luminance(b)
        return (max(one, other) + 0.05) / (min(one, other) + 0.05)
    }

    @Test(arguments: [true, false])
    func textKeepsFourPointFive(_ dark: Bool) {
        let p = dark ? Palette.dark : .light
        let grounds = [p.groundTop, p.groundBottom, p.card]
        let all = grounds + grounds.map { Self.over(p.fill, $0) } + grounds.map { Self.over(p.highlight, $0) } + grounds.map { Self.over(p.dock, $0) }
        for ground in all {
            #expect(Self.ratio(p.text, ground) >= 4.5)
            #expect(Self.ratio(p.secondary, ground) >= 4.5)
        }
        for ground in grounds + grounds.map({ Self.over(p.fill, $0) }) {
            #expect(Self.ratio(p.accent, ground) >= 4.5)
            #expect(Self.ratio(p.destructive, ground) >= 4.5)
            #expect(Self.ratio(p.ring, ground) >= 3)
        }
        for ground in grounds { #expect(Self.ratio(p.quiet, ground) >= 3) }
        #expect(Self.ratio(p.onAccent, p.accent) >= 4.5)
        for tile in Palette.tiles {
            #expect(Self.ratio(Color(255, 255, 255), tile.top) >= 4.5)
        }
    }
}

@Suite struct LayoutTests {
    /// Ink of texts and icons stays on the screen and in what clips it, sideways; on every profile and screen.
    @Test(arguments: Gallery.profiles.map(\.name))
    func nothingIsCutSideways(_ profile: String) throws {
        let traits = try #require(Gallery.profiles.first { $0.name == profile }).traits
        let painter = try Painter()
        for screen in Gallery.screens where screen != "homepages" {
            let frame = try Gallery(screen, traits, painter: painter).phone.frame()
            let layers = Dictionary(uniqueKeysWithValues: frame.layers.map { ($0.id, $0) })
            for layer in frame.layers {
                guard case .image(let image, _) = layer.content else { continue }
                var x = layer.x, parent = layer.parent, left: Float = 0, right = Float(traits.width)
                while let above = layers[parent] {
                    if above.clip { (left, right) = (0, above.width) }
                    if above.clip { #expect(x >= left - 1 && x + Float(image.width) <= right + 1, "\(profile) \(screen): layer \(layer.id) at \(x)") }
                    x += above.x - above.scrollX
                    parent = above.parent
                }
                #expect(x >= -1 && x + Float(image.width) <= Float(traits.width) + 1, "\(profile) \(screen): layer \(layer.id) at \(x)")
            }
        }
    }

    @Test func titlesThatFitAreNotCut() throws {
        let painter = try Painter()
        let gallery = try Gallery("scripts", ScreenTraits(width: 1280, height: 720), painter: painter)
        let node = gallery.phone.node("نسم علينا الهوى")
        #expect(node?.value == "فيروز · أغاني مختارة")
        for name in ["Favourites", "Library", "Browse", "Search"] {
            #expect(painter.label(name, TextStyle(size: 22, weight: .semibold)).width < 132)
        }
    }

    @Test func variantsAreChosenByWidth() throws {
        let gallery = try Gallery("grid", ScreenTraits(), painter: .init())
        #expect(gallery.phone.node("grid.1") != nil)
        // The semantics keep the long name; the screen shows the one that fits.
        #expect(gallery.phone.node("grid.1")?.label == "Recently played podcasts and shows")
    }

    @Test func rowsKeepTheirLayerIds() throws {
        let phone = try FakePhone()
        phone.launch()
        phone.upsert(list(1, "Library", (1...5).map { listItem($0, "Row \($0)") }))
        phone.operate(.setRoot, 1)
        phone.settle()
        let before = Set(phone.frame().layers.map(\.id))
        phone.upsert(list(1, "Library", (2...5).map { listItem($0, "Row \($0)") }))
        let after = Set(phone.frame().layers.map(\.id))
        #expect(after.isSubset(of: before))
    }

    @Test func nightCostsNoPixels() throws {
        let gallery = try Gallery("tabs", ScreenTraits(), painter: .init())
        var publisher = ScenePublisher()
        _ = publisher.publish(gallery.phone.frame())
        var traits = gallery.phone.ui.traits
        traits.night = false
        gallery.phone.ui.setTraits(traits)
        let publishedChange = publisher.publish(gallery.phone.frame())
        let change = try #require(publishedChange)
        #expect(change.resources.isEmpty)
    }
}

import FasciaPaint
import FasciaScene
import FasciaWire
import Foundation
import SwiftProtobuf
import Testing
@testable import FasciaTemplateUI

/// What a screen and a tap cost; the figures are printed.
@Suite(.serialized) struct CostTests {
    @Test func aTapIsASmallCommit() throws {
        let phone = try FakePhone()
        phone.launch()
        phone.upsert(list(1, "Library", Gallery.tracks.enumerated().map { listItem(UInt64($0 + 1), $1, "The Beatles") }))
        phone.operate(.setRoot, 1)
        phone.settle()
        var publisher = ScenePublisher()
        let publishedFirst = publisher.publish(phone.frame())
        let first = try #require(publishedFirst)
        let row = try #require(phone.node("Nowhere Man"))
        phone.touch(.began, row.x + 200, row.y + row.height / 2)
        let publishedDown = publisher.publish(phone.frame())
        let down = try #require(publishedDown)
        phone.touch(.ended, row.x + 200, row.y + row.height / 2)
        let publishedUp = publisher.publish(phone.frame())
        let up = try #require(publishedUp)
        func bytes(_ publication: Publication) throws -> (commit: Int, resources: Int, semantics: Int) {
            (try publication.commit.serializedData().count, publication.resources.reduce(0) { $0 + $1.count }, try publication.semantics?.serializedData().count ?? 0)
        }
        let pressed = try bytes(down), spinning = try bytes(up)
        print("list screen: \(try bytes(first)); finger down: \(pressed); spinner: \(spinning)")
        #expect(pressed.commit + pressed.resources + pressed.semantics < 1_024)
        #expect(spinning.commit + spinning.resources + spinning.semantics < 1_024)
    }

    @Test func screensAreBuiltFast() throws {
        let painter = try Painter()
        for screen in Gallery.screens {
            let gallery = try Gallery(screen, ScreenTraits(), painter: painter)
            let phone = gallery.phone
            var publisher = ScenePublisher()
            let resources = publisher.publish(phone.frame())?.resources.reduce(0) { $0 + $1.count } ?? 0
            let rounds = 20
            let time = ContinuousClock().measure {
                for _ in 0..<rounds {
                    phone.ui.changed()
                    _ = phone.ui.render(now: phone.now)
                }
            }
            let each = Double(time.components.attoseconds) / 1e15 / Double(rounds) + Double(time.components.seconds) * 1e3 / Double(rounds)
            print("\(screen): \((each * 100).rounded() / 100) ms, \(phone.frame().layers.count) layers, \(resources) bytes of resources, caches \(painter.cachedBytes)")
            #expect(painter.cachedBytes < 12 << 20)
        }
    }

    @Test func longListsCostWhatIsSeen() throws {
        let phone = try FakePhone()
        phone.launch()
        phone.upsert(list(1, "Library", (1...500).map { listItem($0, "Row \($0)", "Detail") }))
        phone.operate(.setRoot, 1)
        phone.settle()
        #expect(phone.frame().layers.count < 80)
        let time = ContinuousClock().measure {
            for _ in 0..<20 {
                phone.ui.changed()
                _ = phone.ui.render(now: phone.now)
            }
        }
        print("500 rows: \(time / 20), \(Self.resident) resident")
    }

    /// Resident memory of this process.
    static var resident: String {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        return status.split(separator: "\n").first { $0.hasPrefix("VmRSS") }.map { String($0.dropFirst(6)).trimmingCharacters(in: .whitespaces) } ?? "unknown"
    }
}

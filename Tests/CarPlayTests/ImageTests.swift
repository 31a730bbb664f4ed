import CarPlay
import FasciaAppLink
import FasciaAppRuntime
import Foundation
import Testing

extension CarPlayTests {
    /// Images: checked in the app, sent once, released.
    @MainActor
    struct Images {
        /// A 2x1 PNG.
        static let png = Data(base64Encoded: "iVBORw0KGgoAAAANSUhEUgAAAAIAAAABCAIAAAB7QOjdAAAAD0lEQVR4nGP4z8DAAMQAB/4B/3bkRh0AAAAASUVORK5CYII=") ?? Data()

        @Test func corruptDataIsNoImage() {
            #expect(UIImage(data: Data()) == nil)
            #expect(UIImage(data: Data("not an image".utf8)) == nil)
            #expect(UIImage(data: Self.png.prefix(12)) == nil)
            #expect(UIImage(contentsOfFile: "/nowhere.png") == nil)
            #expect(UIImage(named: "nothing") == nil)
            #expect(UIImage(systemName: "") == nil)
        }

        /// 100 bytes that claim 16,000 x 16,000 pixels: only their number is read.
        @Test func claimedPixelsAreNotAllocated() throws {
            func peak() throws -> Int {
                let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
                let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmPeak:") })
                return try #require(Int(line.filter(\.isNumber)))
            }
            let bomb = try #require(Data(base64Encoded: "iVBORw0KGgoAAAANSUhEUgAAPoAAAD6ACAIAAADOHEiJAAAACElEQVR4nAMAAAAAAUgGidIAAAAASUVORK5CYII="))
            let before = try peak()
            #expect(UIImage(data: bomb)?.size == CGSize(width: 16_000, height: 16_000))
            #expect(try peak() - before < 256 << 10) // KiB; the pixels would be 768 MB
        }

        @Test func sizeIsInPoints() throws {
            let image = try #require(UIImage(data: Self.png, scale: 2))
            #expect(image.size == CGSize(width: 1, height: 0.5))
            #expect(image.pngData() == Self.png)
        }

        /// [AM-6]
        @Test func sentOnceBeforeFirstUseAndReleased() throws {
            let phone = InMemoryPhone()
            let item = CPListItem(text: "a", detailText: nil, image: UIImage(data: Self.png))
            let list = CPListTemplate(title: nil, sections: [CPListSection(items: [item, CPListItem(text: "b", detailText: nil, image: item.image)])])
            _ = try phone.rooted(list)
            #expect(phone.images.count == 1)
            let id = phone.images[0].id
            #expect(phone.images[0].encoded == Self.png)
            #expect(phone.state(of: list)?.list.sections[0].items.map(\.image) == [id, id])
            list.updateSections([])
            item.setImage(nil)
            phone.turn()
            phone.turn()
            let released = phone.messages.flatMap { message -> [UInt64] in
                if case .releaseImages(let release) = message { release.ids } else { [] }
            }
            #expect(released == [id])
        }

        @Test func assetsByNameScaleAndAppearance() throws {
            let directory = FileManager.default.temporaryDirectory.appendingPathComponent("fascia-images-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            defer {
                AppResources.use(directory: nil)
                try? FileManager.default.removeItem(at: directory)
            }
            for name in ["Cover@2x.png", "Cover~dark@2x.png", "Plain.png", "Broken.png"] {
                try (name == "Broken.png" ? Data("x".utf8) : Self.png).write(to: directory.appendingPathComponent(name))
            }
            AppResources.use(directory: directory.path)
            let phone = InMemoryPhone()
            let cover = try #require(UIImage(named: "Cover"))
            #expect(cover.scale == 2)
            #expect(UIImage(named: "Plain.png")?.scale == 1)
            #expect(UIImage(named: "Broken") == nil)
            #expect(UIImage(named: "Cover") == cover)
            let list = CPListTemplate(title: nil, sections: [CPListSection(items: [CPListItem(text: "a", detailText: nil, image: cover)])])
            _ = try phone.rooted(list)
            #expect(phone.images.count == 2)
            #expect(phone.images[1].darkImage == phone.images[0].id)
        }

        @Test func tintsAndTemplates() throws {
            let phone = InMemoryPhone()
            let tinted = try #require(UIImage(data: Self.png)).withTintColor(UIColor(red: 1, green: 0, blue: 0, alpha: 1))
            let list = CPListTemplate(title: nil, sections: [CPListSection(items: [CPListItem(text: "a", detailText: nil, image: tinted)])])
            _ = try phone.rooted(list)
            #expect(phone.images[0].tint == 0xff00_00ff)
            #expect(phone.images[0].template)
        }

        @Test func animatedImagesShowTheirFirstFrame() throws {
            let first = try #require(UIImage(data: Self.png))
            let animated = try #require(UIImage.animatedImage(with: [first, UIImage()], duration: 1))
            #expect(animated.imageID == first.imageID)
            #expect(animated.images?.count == 2)
        }

        @Test func colours() {
            #expect(UIColor.white.rgba == 0xffff_ffff)
            #expect(UIColor(red: 2, green: -1, blue: .nan, alpha: 1).rgba == 0xff00_00ff)
            let adaptive = UIColor { $0.userInterfaceStyle == .dark ? .white : .black }
            #expect(adaptive.resolvedColor(with: UITraitCollection(userInterfaceStyle: .dark)) == .white)
            #expect(UIColor(hue: 1.0 / 3, saturation: 1, brightness: 1, alpha: 1) == .green)
        }
    }
}

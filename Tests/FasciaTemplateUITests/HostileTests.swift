import FasciaAppLink
import FasciaScene
import FasciaWire
import Testing
@testable import FasciaTemplateUI

/// What an app or a car may send although it makes no sense: nothing traps, and something is drawn.
@Suite struct HostileTests {
    @Test func numbersThatAreNone() throws {
        for value in [Double.nan, .infinity, -.infinity, -1, 1e300] {
            let phone = try FakePhone()
            phone.launch()
            phone.upsert(list(1, "", [listItem(1, "Row") { $0.progress = Float(value); $0.image = 999; $0.accessory = .UNRECOGNIZED(9) }]))
            phone.operate(.setRoot, 1)
            phone.upsert(.with { $0.id = 2; $0.information.items = [.with { $0.hasRating_p = true; $0.rating = Float(value); $0.maximumRating = Float(value) }] })
            phone.operate(.push, 2)
            phone.frame()
            phone.operate(.pop)
            phone.upsert(nowPlayingTemplate(3))
            phone.app {
                $0.nowPlaying = .with {
                    $0.present = true
                    $0.duration = value
                    $0.elapsed = value
                    $0.rate = value
                    $0.defaultRate = value
                    $0.asOfNs = .max
                }
            }
            phone.app { $0.remoteCommands.skipForward = true; $0.remoteCommands.skipInterval = value; $0.remoteCommands.currentRepeat = .max }
            phone.operate(.push, 3)
            phone.frame()
            phone.app { $0.nowPlaying = .with { $0.present = true; $0.duration = 100; $0.elapsed = value; $0.rate = value; $0.asOfNs = 0 } }
            phone.settle()
            for layer in phone.frame().layers { #expect(layer.width.isFinite && layer.x.isFinite && layer.animations.allSatisfy { $0.from.isFinite && $0.to.isFinite }) }
            phone.knob(.rotate, Int(Int32.min))
            phone.knob(.rotate, Int(Int32.max))
            phone.ui.touchpad(.with { $0.phase = .moved; $0.dx = Float(value); $0.dy = Float(value) }, now: phone.now)
            phone.touch(.began, Float(value), Float(value))
            phone.touch(.moved, Float(value), 3)
            phone.touch(.ended, 3, Float(value))
        }
    }

    @Test(arguments: [(0, 0, 2.0), (1, 1, 2), (60, 4_000, 1), (800, 480, .nan), (800, 480, 0), (300, 200, 8)])
    func screensThatAreNone(_ size: (Int, Int, Double)) throws {
        for screen in Gallery.screens {
            let gallery = try Gallery(screen, ScreenTraits(width: size.0, height: size.1, scale: size.2), painter: .init())
            #expect(!gallery.phone.frame().layers.isEmpty)
        }
    }

    @Test func templatesThatDoNotExist() throws {
        let phone = try FakePhone()
        phone.app { $0.updateItem = .with { $0.template = 5 } }
        phone.app { $0.selectTab.template = 3 }
        phone.app { $0.releaseTemplates.ids = [1, 2] }
        phone.app { $0.releaseImages.ids = [1] }
        phone.app { $0.selectionCompleted.selection = 99 }
        phone.app { _ in }
        phone.operate(.push, 7)
        phone.launch()
        phone.upsert(tabBar(1, [10, 11])) // tabs never sent
        phone.operate(.setRoot, 1)
        phone.frame()
        phone.upsert(tabBar(1, []))
        #expect(phone.frame().layers.count > 5)
        phone.upsert(.with { $0.id = 2 }) // no kind
        phone.operate(.setRoot, 2)
        phone.frame()
    }

    @Test func templatesWithoutEnd() throws {
        let phone = try FakePhone()
        phone.launch()
        phone.upsert(list(1, "Root", [listItem(1, "Row")]))
        phone.operate(.setRoot, 1)
        let shelf = { phone.ui.session(FakePhone.app).templates }
        for id in UInt64(2)...UInt64(TemplateShelf.maxCount + 50) { phone.upsert(.with { $0.id = id }) }
        #expect(shelf().count == TemplateShelf.maxCount)
        #expect(shelf()[1] != nil && shelf()[2] == nil && shelf()[UInt64(TemplateShelf.maxCount + 50)] != nil)
        let long = String(repeating: "x", count: TemplateShelf.maxBytes / 3)
        for id in UInt64(1_000)...1_003 { phone.upsert(list(id, long, [])) }
        #expect(shelf()[1] != nil && shelf()[1_000] == nil && shelf()[1_003] != nil)
        phone.upsert(list(1_003, "short", []))
        phone.app { $0.releaseTemplates.ids = [1_003] }
        #expect(shelf()[1_003] == nil)
        phone.frame()
    }

    @Test func imagesOfAnEarlierProcessAreNotShown() throws {
        let phone = try FakePhone()
        func covers(_ hue: Double) -> Set<RasterImage> {
            phone.launch()
            phone.app { $0.image.id = 5; $0.image.encoded = .init(FakeCover.png(hue: hue, side: 64)) }
            phone.upsert(list(1, "Songs", [listItem(1, "Song") { $0.image = 5 }]))
            phone.operate(.setRoot, 1)
            phone.settle()
            return Set(phone.frame().layers.compactMap { if case .image(let image, tint: nil) = $0.content { image } else { nil } })
        }
        let first = covers(0)
        phone.ui.applicationState(FakePhone.app, .stopped(reason: nil))
        let second = covers(0.5)
        #expect(!first.isEmpty && !second.isEmpty && first.isDisjoint(with: second))
    }

    /// The page is there without them, and each comes when somebody has painted it.
    @Test func largePicturesDoNotHoldUpThePage() throws {
        let phone = try FakePhone()
        phone.ui.leavesLargePictures = true
        func pictures() -> Int { phone.frame().layers.count { if case .image(_, tint: nil) = $0.content { true } else { false } } }
        phone.launch()
        let none = pictures()
        phone.app { $0.image.id = 5; $0.image.encoded = .init(FakeCover.png(hue: 0, side: 64)) }
        phone.app { $0.image.id = 6; $0.image.encoded = .init(FakeCover.png(hue: 0.3, side: 600)) }
        phone.app { $0.image.id = 7; $0.image.encoded = .init(FakeCover.png(hue: 0.6, side: 600).prefix(2_000)) }
        phone.upsert(list(1, "Songs", [5, 6, 7].map { image in listItem(image, "Song \(image)") { $0.image = image } }))
        phone.operate(.setRoot, 1)
        phone.settle()
        #expect(pictures() == none + 1)
        let orders = phone.ui.takePictureOrders()
        #expect(orders.map(\.image) == [6, 7])
        phone.frame()
        #expect(phone.ui.takePictureOrders().isEmpty && !phone.ui.needsRender, "ordered once")
        for order in orders { phone.ui.painted(order, order.paint()) }
        #expect(phone.ui.needsRender)
        #expect(pictures() == none + 2, "the broken one stays away")
        #expect(phone.ui.takePictureOrders().isEmpty)

        // What comes for an app that has ended is not shown in the next one's place.
        phone.app { $0.image.id = 8; $0.image.encoded = .init(FakeCover.png(hue: 0.8, side: 600)) }
        phone.upsert(list(1, "Songs", [listItem(8, "Song") { $0.image = 8 }]))
        phone.frame()
        let late = phone.ui.takePictureOrders()
        #expect(late.map(\.image) == [8])
        phone.ui.applicationState(FakePhone.app, .stopped(reason: nil))
        phone.launch()
        for order in late { phone.ui.painted(order, order.paint()) }
        #expect(pictures() == none)
    }

    /// A tile with a letter stands in for an icon until it is painted, and for good where it cannot be.
    @Test func largeIconsDoNotHoldUpTheHomeScreen() throws {
        let phone = try FakePhone()
        phone.ui.leavesLargePictures = true
        func icons() -> Int { phone.frame().layers.count { if case .image(_, tint: nil) = $0.content { true } else { false } } }
        phone.ui.setApplications([])
        let none = icons()
        let large = FakeCover.png(hue: 0.3, side: 700)
        let applications = [
            HomeApplication(id: "small", name: "Small", icon: FakeCover.png(hue: 0, side: 64)), HomeApplication(id: "large", name: "Large", icon: large),
            HomeApplication(id: "broken", name: "Broken", icon: Array(large.prefix(2_000))),
        ]
        phone.ui.setApplications(applications)
        #expect(icons() == none + 1)
        let orders = phone.ui.takePictureOrders()
        #expect(orders.count == 2)
        for order in orders { phone.ui.painted(order, order.paint()) }
        #expect(icons() == none + 2 && phone.ui.takePictureOrders().isEmpty)

        // What was ordered for icons that are others now is for nobody.
        let other = HomeApplication(id: "large", name: "Large", icon: FakeCover.png(hue: 0.7, side: 700))
        phone.ui.setApplications([applications[0], other])
        #expect(icons() == none + 1)
        let late = phone.ui.takePictureOrders()
        phone.ui.setApplications(Array(applications.prefix(2)))
        for order in late { phone.ui.painted(order, order.paint()) }
        #expect(icons() == none + 1)
    }

    @Test func imagesWithoutEnd() {
        var shelf = ImageShelf()
        let long = String(repeating: "x", count: 100_000)
        for id in UInt64(1)...300 { shelf.insert(.with { $0.id = id; $0.systemName = long }) }
        #expect(shelf[1] == nil && shelf[300] != nil)
        shelf.insert(.with { $0.id = 301; $0.systemName = String(repeating: "x", count: ImageShelf.maxBytes) })
        #expect(shelf[300] == nil && shelf[301] != nil)
        shelf.insert(.with { $0.id = 302; $0.systemName = "star" })
        #expect(shelf[301] == nil && shelf[302] != nil)
    }
}

extension PictureOrder {
    /// The app's id of it; nil for an icon.
    fileprivate var image: UInt64? { if case .image(let image, _, _) = owner { image } else { nil } }
}

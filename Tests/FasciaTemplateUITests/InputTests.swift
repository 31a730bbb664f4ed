import FasciaScene
import FasciaWire
import Testing
@testable import FasciaTemplateUI

@Suite struct FocusTests {
    func phone(_ inputs: Set<InputDevice> = [.knob], rows: UInt64 = 20) throws -> FakePhone {
        let phone = try FakePhone(ScreenTraits(inputs: inputs))
        phone.launch()
        phone.upsert(list(1, "Library", (1...rows).map { n in listItem(n, "Row \(n)") { $0.enabled = n != 3 } }))
        phone.operate(.setRoot, 1)
        phone.settle()
        return phone
    }

    @Test func rotationMovesInOrderAndSkipsDisabled() throws {
        let phone = try phone()
        #expect(phone.focused?.label == "Row 1")
        phone.knob(.rotate, 1)
        #expect(phone.focused?.label == "Row 2")
        phone.knob(.rotate, 1)
        #expect(phone.focused?.label == "Row 4")
        phone.knob(.rotate, -100)
        #expect(phone.focused?.label == "Row 1")
        phone.knob(.rotate, 100)
        #expect(phone.focused?.label == "Row 20")
    }

    @Test func scrollingFollowsTheFocus() throws {
        let phone = try phone()
        for _ in 0..<8 {
            phone.knob(.rotate, 1)
            phone.settle()
            let node = try #require(phone.focused)
            #expect(node.visible && node.y >= 0 && node.y + node.height <= 480, "\(node.label) at \(node.y)")
        }
        phone.knob(.rotate, -100)
        phone.settle()
        #expect(phone.ui.state(of: phone.ui.page).scroll.offset == 0)
    }

    @Test func nudgeGoesToTheDockAndBack() throws {
        let phone = try phone()
        phone.knob(.nudgeLeft)
        #expect(phone.focused?.identifier.hasPrefix("dock.") == true || phone.focused?.identifier == "home")
        phone.knob(.rotate, 10)
        #expect(phone.focused?.identifier == "home")
        phone.knob(.nudgeRight)
        #expect(phone.focused?.role == .row)
        phone.knob(.nudgeLeft)
        phone.knob(.rotate, 10)
        phone.knob(.press)
        phone.settle()
        #expect(phone.node("screen")?.label == "Home")
    }

    @Test func dockIsAtTheDriversSide() throws {
        let phone = try phone()
        phone.ui.setTraits(ScreenTraits(driverSide: .right, inputs: [.knob]))
        let home = try #require(phone.node("home"))
        #expect(home.x > 690)
        phone.knob(.nudgeRight)
        #expect(phone.focused?.x ?? 0 > 600)
    }

    @Test func touchHidesTheRingAndTheKnobFindsIt() throws {
        let phone = try phone([.touch, .knob])
        #expect(phone.focused == nil)
        phone.knob(.rotate, 1) // shows only
        #expect(phone.focused?.label == "Row 1")
        phone.tap("Row 2")
        #expect(phone.focused == nil)
        phone.drain()
        phone.sent = []
        phone.knob(.press) // blind: shows only
        #expect(phone.messages().isEmpty)
        #expect(phone.focused?.label == "Row 2")
    }

    @Test func everyScreenIsReachableByRotation() throws {
        for screen in ["tabs", "list", "grid", "info", "nowplaying", "alert3", "sheet"] {
            let gallery = try Gallery(screen, ScreenTraits(inputs: [.knob]), painter: .init())
            let phone = gallery.phone
            phone.knob(.rotate, -100)
            let stops = phone.ui.focusMap().stops.filter { !$0.isDock }
            var seen: [String] = []
            for _ in 0..<stops.count {
                if let focused = phone.focused { seen.append(focused.identifier) }
                phone.knob(.rotate, 1)
                phone.settle()
            }
            #expect(Set(seen).count == stops.count, "\(screen): \(seen)")
        }
    }

    @Test func touchpadStrokesStep() throws {
        let phone = try phone([.touchpad])
        func pad(_ phase: TouchpadEvent.Phase, _ dx: Float = 0, _ dy: Float = 0) {
            phone.ui.touchpad(.with { $0.phase = phase; $0.dx = dx; $0.dy = dy }, now: phone.now)
        }
        pad(.began)
        for _ in 0..<4 { pad(.moved, 0.01, 0.1) }
        pad(.ended)
        #expect(phone.focused?.label == "Row 4") // two steps, over the disabled row
        phone.drain()
        phone.sent = []
        pad(.click)
        #expect(phone.messages().count == 1)
    }

    @Test func focusSurvivesChangesAndLoss() throws {
        let phone = try phone()
        phone.knob(.rotate, 4)
        #expect(phone.focused?.label == "Row 6")
        phone.upsert(list(1, "Library", ([99, 1, 2, 4, 5, 6] as [UInt64]).map { listItem($0, "Row \($0)") }))
        #expect(phone.focused?.label == "Row 6")
        phone.upsert(list(1, "Library", ([1, 2] as [UInt64]).map { listItem($0, "Row \($0)") }))
        #expect(phone.focused?.label == "Row 2")
    }
}

@Suite struct TouchTests {
    func phone() throws -> FakePhone {
        let phone = try FakePhone()
        phone.launch()
        phone.upsert(list(1, "Library", (1...60).map { listItem($0, "Row \($0)") }))
        phone.operate(.setRoot, 1)
        phone.settle()
        phone.sent = []
        return phone
    }

    @Test func dragScrollsAndChoosesNothing() throws {
        let phone = try phone()
        phone.drag(from: (400, 400), to: (400, 200), milliseconds: 800)
        #expect(phone.messages().isEmpty)
        let scroll = phone.ui.state(of: phone.ui.page).scroll
        #expect(scroll.offset > 80)
        #expect(phone.frame().layers.contains { $0.clip && $0.scrollY == Float((scroll.offset * 2).rounded()) })
    }

    @Test func flingGoesOnAsAnAnimation() throws {
        let phone = try phone()
        phone.drag(from: (400, 420), to: (400, 120), milliseconds: 120)
        let motion = try #require(phone.ui.state(of: phone.ui.page).scroll.motion)
        #expect(motion.to - motion.from > 200)
        #expect(phone.frame().layers.contains { $0.animations.contains { $0.property == .scrollY } })
        // Rows that pass have layers.
        let rows = phone.frame().layers.filter { $0.height == 88 && $0.width == Float(684) }
        #expect(rows.count > 10)
        // A finger stops it where it is, and chooses nothing.
        phone.now += 100_000_000
        phone.touch(.began, 400, 300)
        let offset = phone.ui.state(of: phone.ui.page).scroll.offset
        #expect(offset > motion.from && offset < motion.to)
        phone.touch(.ended, 400, 300)
        #expect(phone.messages().isEmpty)
    }

    @Test func smallMovementsAreTaps() throws {
        let phone = try phone()
        phone.touch(.began, 400, 200)
        phone.touch(.moved, 404, 210)
        phone.touch(.ended, 404, 210)
        #expect(phone.messages().count == 1)
    }

    @Test func touchOutsideAndWrongContactAreIgnored() throws {
        let phone = try phone()
        phone.touch(.began, -50, 9_000)
        phone.touch(.ended, -50, 9_000)
        phone.touch(.moved, .nan, 3)
        phone.touch(.ended, 400, 200)
        #expect(phone.messages().isEmpty)
        phone.touch(.began, 400, 200)
        phone.ui.touch(.with { $0.contact = 1; $0.phase = .ended; $0.x = 400; $0.y = 200 }, now: phone.now)
        phone.touch(.cancelled, 400, 200)
        #expect(phone.messages().isEmpty)
    }

    @Test func homePagesSwipe() throws {
        let gallery = try Gallery("homepages", ScreenTraits(), painter: .init())
        let phone = gallery.phone
        #expect(phone.node("Books")?.visible == false)
        phone.drag(from: (700, 240), to: (250, 240), milliseconds: 150)
        phone.settle()
        #expect(phone.node("Books")?.visible == true && phone.node("Rubber Soul")?.visible == false)
    }

    @Test func indexJumps() throws {
        let gallery = try Gallery("longlist", ScreenTraits(), painter: .init())
        let phone = gallery.phone
        phone.tap("Section Y")
        phone.settle()
        #expect(phone.node("Yrtist number 0")?.visible == true)
    }

    @Test func movesCostLittle() throws {
        let phone = try phone()
        phone.drag(from: (400, 420), to: (400, 120), milliseconds: 120)
        let motion = try #require(phone.ui.state(of: phone.ui.page).scroll.motion)
        #expect(Scroll.Motion(id: 1, from: 0, to: 90, start: 0, duration: 1000).position(at: 500) == 90 * (1 - 0.125))
        #expect(motion.end > motion.start)
    }
}

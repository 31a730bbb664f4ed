import FasciaEvents
import FasciaScene
import FasciaWire
import FoundationEssentials
import Testing
@testable import FasciaHeadUnit

/// Volume and microphone are seen over whatever is on the screen.
@MainActor
@Suite struct SoundOverlayTests {
    let directory: TemporaryDirectory
    let unit: HeadUnit

    init() throws {
        directory = try TemporaryDirectory()
        unit = try HeadUnit(options: try options(in: directory), surface: HeadlessSurface(), events: try EventLog(path: directory.path + "/events.jsonl", narrate: { _ in }))
        unit.start()
    }

    func shows(_ text: String) -> Bool { unit.display.semantics.contains { $0.visible && ($0.label.contains(text) || $0.value.contains(text)) } }

    /// Blue, green, red in the middle of what says this.
    func pixel(of identifier: String, dx: Int = 0) throws -> [UInt8] {
        let node = try #require(unit.display.semantics.first { $0.identifier == identifier })
        let at = (Int(node.y + node.height / 2) * 800 + Int(node.x) + dx) * 4
        return Array(unit.display.compositor.snapshot()[at..<at + 3])
    }

    @Test func volumeIsShownForAWhile() throws {
        unit.setVolume(.navigation, percent: 35)
        #expect(shows("Navigation") && shows("35") && shows("Test Car"))
        unit.setMute(.navigation, true)
        #expect(shows("Muted") && unit.sound.volume(.navigation) == 0.35)
        unit.setMute(.navigation, false)
        #expect(shows("35") && unit.volumeTimer.deadline != nil)
        unit.clearVolume()
        #expect(!shows("Navigation"))
    }

    @Test func thePhonesPictureDoesNotHideTheMicrophone() throws {
        let hello = Hello.with { $0.name = "Anna"; $0.capabilities = [UInt32(Capability.semantics.rawValue)] }
        guard case .welcome(let welcome) = unit.phoneArrived(hello, anna) else {
            Issue.record("not welcomed")
            return
        }
        #expect(welcome.audio.formats.count == 14 && welcome.audio.microphone.isEmpty && !welcome.channels.contains(48) && welcome.channels.contains(32))
        let link = FakeLink()
        unit.phoneConnected(link, sessionID: Array(welcome.sessionID), resumed: false, fields: [:])
        var publisher = ScenePublisher()
        let publication = publisher.publish(scene())
        for (channel, type, body) in try messages(#require(publication)) { unit.received(channel: channel, type: type, body: body, on: link) }
        #expect(unit.display.contentName == "phone")
        for night in [true, false] {
            unit.setNight(night)
            unit.showListener("Assistant\u{202E}")
            #expect(shows("Microphone") && unit.microphoneTimer.deadline != nil)
            #expect(try pixel(of: "microphone", dx: -4) == [0x0F, 0x8C, 0xF2], "the sign, before its first letter")
            unit.shrinkMicrophone()
            #expect(shows("Microphone"), "for as long as it lasts")
            #expect(try pixel(of: "microphone", dx: 8) == [0x0F, 0x8C, 0xF2])
            let sign = try #require(unit.display.semantics.first { $0.identifier == "microphone" })
            #expect(sign.y == 0 && sign.height <= 28 && sign.width <= 80, "out of the way")
            unit.setVolume(.telephony, percent: 40)
            let volume = try #require(unit.display.semantics.first { $0.identifier == "volume.route" })
            #expect(volume.y > sign.y + sign.height)
            unit.clearVolume()
            unit.showListener(nil)
            #expect(!shows("Microphone") && unit.microphoneTimer.deadline == nil)
        }
    }

    @Test func aCallAndTheVolumeAreBothReadable() throws {
        #expect(unit.carCall(.ring) == nil)
        unit.setVolume(.telephony, percent: 50)
        let call = try #require(unit.display.semantics.first { $0.identifier == "call" }), volume = try #require(unit.display.semantics.first { $0.identifier == "volume.route" })
        #expect(volume.y >= call.y + call.height)
    }
}

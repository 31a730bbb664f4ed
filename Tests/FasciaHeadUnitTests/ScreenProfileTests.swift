import FoundationEssentials
import Testing
@testable import FasciaHeadUnit

@Suite struct ScreenProfileTests {
    @Test func builtInScreensAreThere() throws {
        #expect(try ScreenProfile.resolve(nil).name == "800x480")
        #expect(try ScreenProfile.resolve(nil).scale == 2)
        for name in ["800x480", "960x540", "1280x720", "1920x720", "portrait"] { #expect(try ScreenProfile.resolve(name).name == name) }
        let portrait = try ScreenProfile.resolve("portrait")
        #expect(portrait.height > portrait.width)
    }

    @Test func aFileSaysEverything() throws {
        let json = """
            {"name": "Wide", "width": 1280, "height": 480, "scale": 1.5, "driverSide": "right", "refresh": 30, "inputs": ["knob", "keys"], "safeInsets": {"left": 40}}
            """
        let profile = try ScreenProfile.parse(json: Data(json.utf8), file: "wide.json")
        #expect(profile.screen.width == 1280 && profile.screen.scale == 1.5 && profile.screen.refreshMhz == 30_000 && profile.screen.safeInsets.left == 40)
        #expect(profile.driverSide == .right)
        #expect(profile.inputDevices == [.knob, .keys])
    }

    @Test(arguments: [
        ("{", "not JSON"), ("[]", "wrong kind"), (#"{"width": 800}"#, "\"height\" is missing"), (#"{"width": "800", "height": 480}"#, "\"width\" is of the wrong kind"),
        (#"{"width": 8, "height": 480}"#, "320 to 7,680"), (#"{"width": 800, "height": 480, "scale": 9}"#, "1 to 4"),
        (#"{"width": 800, "height": 480, "inputs": []}"#, "inputs is empty"), (#"{"width": 800, "height": 480, "inputs": ["mouse"]}"#, "inputs"),
        (#"{"width": 800, "height": 480, "driverside": "right"}"#, "there is no \"driverside\""),
        (#"{"width": 800, "height": 480, "driverSide": "up"}"#, "driverSide"), (#"{"width": 800, "height": 480, "refresh": 1000}"#, "10 to 240"),
        (#"{"width": 800, "height": 480, "safeInsets": {"left": 700}}"#, "more than half"), (#"{"width": 800, "height": 480, "safeInsets": {"middle": 7}}"#, "middle"),
        (#"{"width": 800, "height": 480, "safeInsets": {"top": -7}}"#, "0 to 7,680"),
        (#"{"width": 800, "height": 480, "safeInsets": {"top": 9223372036854775807, "bottom": 4}}"#, "0 to 7,680"),
    ])
    func badValuesAreNamed(json: String, says: String) {
        do {
            _ = try ScreenProfile.parse(json: Data(json.utf8), file: "my.json")
            Issue.record("\(json) was taken")
        } catch {
            #expect(error.description.contains(says), "\(error.description)")
            #expect(error.description.contains("my.json"))
        }
    }

    @Test func aMissingFileNamesTheChoices() {
        do {
            _ = try ScreenProfile.resolve("/nowhere/x.json")
            Issue.record("found")
        } catch {
            #expect(error.description.contains("/nowhere/x.json") && error.description.contains("1920x720"))
        }
    }
}

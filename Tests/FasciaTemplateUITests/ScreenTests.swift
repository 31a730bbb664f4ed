import FasciaPaint
import FasciaScene
import Foundation
import Testing
@testable import FasciaTemplateUI

@Suite struct ScreenTests {
    /// Every screen on every profile is drawn; with FASCIA_GALLERY set to a folder they are written there, to be looked at.
    @Test(arguments: Gallery.profiles.map(\.name))
    func everyScreenIsDrawn(_ profile: String) throws {
        let traits = try #require(Gallery.profiles.first { $0.name == profile }).traits
        let painter = try Painter()
        let folder = ProcessInfo.processInfo.environment["FASCIA_GALLERY"]
        for screen in Gallery.screens {
            var traits = traits
            if screen == "moving" { traits.limitedUI = true }
            let gallery = try Gallery(screen, traits, painter: painter)
            let frame = gallery.phone.frame()
            #expect(frame.layers.count > 5)
            #expect(Set(frame.layers.map(\.id)).count == frame.layers.count, "\(screen): a layer id twice")
            #expect(Set(frame.semantics.map(\.id)).count == frame.semantics.count, "\(screen): a node id twice")
            if let folder { try Data(gallery.png()).write(to: URL(fileURLWithPath: "\(folder)/\(profile)-\(screen).png")) }
        }
    }
}

import FasciaPaint
import FasciaScene

extension NativeScreens {
    /// What the camera at the tailgate sees, with the lines that show where the car will go.
    /// - Parameter call: it has a part of the upper edge.
    func camera(_ view: CameraPicture, under call: CallSize?) -> SceneFrame {
        let width = profile.width, height = profile.height
        var canvas = NativeCanvas(painter: painter, scale: profile.scale, background: Color(0, 0, 0))
        for image in view.images { canvas.picture(image, tint: nil, 0, 0, Double(width), Double(height)) }
        let insets = profile.insets, margin = canvas.points(12), pad = canvas.points(12), side = canvas.points(34)
        let text = "Check your surroundings"
        let label = canvas.labelWidth(text, size: 15, .semibold)
        let x = Double(insets.left) + margin, y = Double(insets.top) + margin + (call == .large ? canvas.points(Self.ringHeight) : 0)
        // The gear, as the lever shows it.
        canvas.box(x, y, side, side, .solid(Color(0x0B, 0x0D, 0x11, 0xC8)), radius: canvas.points(10), border: Color(0xFF, 0xFF, 0xFF, 0x2E))
        let letter = canvas.height("R", size: 20, .semibold, width: side, lines: 1)
        canvas.text("R", size: 20, .semibold, Color(0xFF, 0xFF, 0xFF), x: x + (side / 2).rounded(), y: (y + (side - letter) / 2).rounded(), width: side, alignment: .center,
                    says: "Reverse", identifier: "gear")
        if call != nil { return canvas.frame } // there is no room for words but over the lines
        let noticeWidth = label + 2 * pad, noticeX = Double(width - insets.right) - margin - noticeWidth
        canvas.box(noticeX, y, noticeWidth, side, .solid(Color(0x0B, 0x0D, 0x11, 0xC8)), radius: canvas.points(10), border: Color(0xFF, 0xFF, 0xFF, 0x2E))
        let textHeight = canvas.height(text, size: 15, .semibold, width: label + 2, lines: 1)
        canvas.text(text, size: 15, .semibold, Color(0xFF, 0xFF, 0xFF), x: noticeX + pad, y: (y + (side - textHeight) / 2).rounded(), width: label + 2, identifier: "camera.notice")
        return canvas.frame
    }
}

/// The camera's picture and the lines over it.
struct CameraPicture {
    let night: Bool
    /// From below.
    let images: [RasterImage]

    init(_ profile: ScreenProfile, night: Bool) {
        self.night = night
        // Half the pixels: cameras are no better, and the picture has to be there at once.
        let picture = ReversePicture(width: (profile.width + 1) / 2, height: (profile.height + 1) / 2, night: night).image()
        images = [picture, ReverseGuides(width: profile.width, height: profile.height).image()].compactMap { $0 }
    }
}

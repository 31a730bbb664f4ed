import CPango
import FasciaScene

struct IconKey: Hashable {
    var icon: Icon
    var size: Int
}

extension Painter {
    /// `icon` as a square A8 mask of `size` pixels.
    public func icon(_ icon: Icon, size: Int) -> RasterImage {
        let size = max(1, min(size, 1_024))
        let key = IconKey(icon: icon, size: size)
        if let known = icons.value(for: key) { return known }
        let image = switch icon.shape {
        case .glyph(let name): glyph(name, size: size) ?? glyph(Icon.neutral, size: size)
        case .skip(let seconds, let forward): skip(seconds: seconds, forward: forward, size: size)
        case .spinner: spinner(size: size)
        }
        guard let result = image ?? RasterImage(format: .a8, width: size, height: size, pixels: [UInt8](repeating: 0, count: size * size)) else {
            preconditionFailure("a square of 1 to 1,024 pixels is an image")
        }
        icons.insert(result, for: key, cost: result.pixels.count + 128)
        return result
    }

    /// The icon for an SF Symbols name; an unknown one is reported once and drawn as a plain ring.
    public func symbol(_ name: String, size: Int) -> RasterImage {
        let icon = Icon(symbolName: name)
        if !icon.isKnown { reportUnknownSymbol(name) }
        return self.icon(icon, size: size)
    }

    /// Nil when the font has no such ligature.
    private func glyph(_ name: String, size: Int) -> RasterImage? {
        guard let layout = iconLayout(name, size: Double(size)) else { return nil }
        defer { fascia_unref(UnsafeMutableRawPointer(layout)) }
        var logical = PangoRectangle()
        pango_layout_get_extents(layout, nil, &logical)
        // A ligature is one em wide; letters side by side are more.
        guard logical.width <= Int32(Double(size) * 1.2 * Double(PANGO_SCALE)) else { return nil }
        return Mask.draw(width: size, height: size) { show(layout, on: $0, size: Double(size)) }
    }

    private func show(_ layout: OpaquePointer, on cairo: OpaquePointer, size: Double) {
        var logical = PangoRectangle()
        pango_layout_get_extents(layout, nil, &logical)
        let scale = Double(PANGO_SCALE)
        cairo_move_to(cairo, (size - Double(logical.width) / scale) / 2 - Double(logical.x) / scale, (size - Double(logical.height) / scale) / 2 - Double(logical.y) / scale)
        pango_cairo_show_layout(cairo, layout)
    }

    private func iconLayout(_ name: String, size: Double) -> OpaquePointer? {
        guard let layout = pango_layout_new(context) else { return nil }
        let description = pango_font_description_new()
        defer { pango_font_description_free(description) }
        pango_font_description_set_family(description, FontSet.icons)
        pango_font_description_set_absolute_size(description, size * Double(PANGO_SCALE))
        pango_layout_set_font_description(layout, description)
        pango_layout_set_text(layout, name, -1)
        return layout
    }

    private func spinner(size: Int) -> RasterImage? {
        let side = Double(size)
        return Mask.draw(width: size, height: size) { cairo in
            cairo_translate(cairo, side / 2, side / 2)
            cairo_set_line_width(cairo, side * 0.085)
            cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND)
            for spoke in 0..<12 {
                cairo_set_source_rgba(cairo, 0, 0, 0, 0.16 + 0.84 * Double(spoke) / 11)
                cairo_move_to(cairo, 0, -side * 0.23)
                cairo_line_to(cairo, 0, -side * 0.42)
                cairo_stroke(cairo)
                cairo_rotate(cairo, .pi / 6)
            }
        }
    }

    /// The icon font has such arrows for 5, 10 and 30 seconds only: any other number is set in the open one.
    private func skip(seconds: Int, forward: Bool, size: Int) -> RasterImage? {
        guard let arrow = iconLayout("replay", size: Double(size)) else { return nil }
        defer { fascia_unref(UnsafeMutableRawPointer(arrow)) }
        let digits = label(String(seconds), TextStyle(size: Double(size) * (seconds > 9 ? 0.31 : 0.36), weight: .bold, tabularDigits: true))
        return Mask.draw(width: size, height: size) { cairo in
            cairo_save(cairo)
            if forward {
                cairo_translate(cairo, Double(size), 0)
                cairo_scale(cairo, -1, 1)
            }
            show(arrow, on: cairo, size: Double(size))
            cairo_restore(cairo)
            // The arrow's ring is centred a little below the middle of the icon (13/24).
            if let image = digits.image {
                Mask.paint(image, on: cairo, x: ((Double(size) - Double(image.width)) / 2).rounded(), y: (Double(size) * 13 / 24 - Double(image.height) / 2).rounded())
            }
        }
    }
}

extension Mask {
    /// Adds an A8 image's ink.
    static func paint(_ image: RasterImage, on cairo: OpaquePointer, x: Double, y: Double) {
        guard image.format == .a8, let surface = cairo_image_surface_create(CAIRO_FORMAT_A8, Int32(image.width), Int32(image.height)),
              let data = cairo_image_surface_get_data(surface) else { return }
        defer { cairo_surface_destroy(surface) }
        let stride = Int(cairo_image_surface_get_stride(surface))
        image.pixels.withUnsafeBufferPointer { pixels in
            guard let base = pixels.baseAddress else { return }
            for row in 0..<image.height { (data + row * stride).update(from: base + row * image.width, count: image.width) }
        }
        cairo_surface_mark_dirty(surface)
        cairo_mask_surface(cairo, surface, x, y)
    }
}

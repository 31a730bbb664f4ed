import CPango
import FasciaScene

struct LabelKey: Hashable {
    var string: String
    var style: TextStyle
}

extension Painter {
    /// Longer texts are cut before layout: no screen shows more, and layout time is linear in it.
    static let maxCharacters = 2_000

    /// The ink of `string` as a tight A8 mask; nil when there is none.
    public func text(_ string: String, _ style: TextStyle) -> RasterImage? { label(string, style).image }

    /// The size of the text box and the first baseline, pixels.
    public func measure(_ string: String, _ style: TextStyle) -> (width: Int, height: Int, baseline: Int) {
        let label = label(string, style)
        return (label.width, label.height, label.baseline)
    }

    /// `string` painted, with the metrics that place it.
    public func label(_ string: String, _ style: TextStyle) -> Label {
        let key = LabelKey(string: string, style: style)
        if let known = labels.value(for: key) { return known }
        let label = paint(string, style)
        labels.insert(label, for: key, cost: (label.image?.pixels.count ?? 0) + string.utf8.count + 160)
        return label
    }

    private func paint(_ string: String, _ style: TextStyle) -> Label {
        guard let layout = makeLayout(string, style) else {
            return Label(image: nil, inkX: 0, inkY: 0, width: 0, height: 0, baseline: 0, lastBaseline: 0, lines: 0, truncated: false, rightToLeft: false)
        }
        defer { fascia_unref(UnsafeMutableRawPointer(layout)) }
        var logical = PangoRectangle()
        pango_layout_get_extents(layout, nil, &logical)
        let scale = Double(PANGO_SCALE)
        let lines = Int(pango_layout_get_line_count(layout))
        let runs = Self.runs(of: layout)
        let exact = Double(pango_layout_get_baseline(layout)) / scale, baseline = exact.rounded()
        let lastBaseline = ((runs.map(\.baseline).max() ?? Int32(exact * scale)).double / scale + baseline - exact).rounded()
        let rightToLeft = pango_layout_get_line_readonly(layout, 0).map { pango_layout_line_get_resolved_direction($0) == PANGO_DIRECTION_RTL } ?? false
        // With a width set, Pango aligns inside it: the box then starts where the longest line does.
        let left = (Double(logical.x) / scale).rounded(.down)
        var image: RasterImage?, inkLeft = 0.0, inkTop = 0.0
        if let ink = Self.ink(of: runs) {
            inkLeft = (ink.left / scale).rounded(.down)
            // The shift puts the rounded baseline on the pixel grid.
            inkTop = (ink.top / scale + baseline - exact).rounded(.down)
            let width = Int((ink.right / scale).rounded(.up) - inkLeft), height = Int((ink.bottom / scale + baseline - exact).rounded(.up) - inkTop)
            if width > 0, height > 0, width <= 8_192, height <= 8_192 {
                image = Mask.draw(width: width, height: height) { cairo in
                    for run in runs {
                        cairo_move_to(cairo, run.x.double / scale - inkLeft, run.baseline.double / scale + baseline - exact - inkTop)
                        pango_cairo_show_glyph_item(cairo, pango_layout_get_text(layout), run.item)
                    }
                }
            }
        }
        return Label(image: image, inkX: Int(inkLeft - left), inkY: Int(inkTop), width: Int((Double(logical.width) / scale).rounded(.up)),
                     height: Int((Double(logical.height) / scale).rounded(.up)), baseline: Int(baseline), lastBaseline: Int(lastBaseline), lines: lines,
                     truncated: pango_layout_is_ellipsized(layout) != 0, rightToLeft: rightToLeft)
    }

    private typealias Run = (item: UnsafeMutablePointer<PangoLayoutRun>, x: Int32, baseline: Int32)

    /// The runs of all lines on one baseline each. Pango would shift runs to align their scripts' own baselines with the first
    /// one's, and puts Arabic after Han half a line up.
    private static func runs(of layout: OpaquePointer) -> [Run] {
        guard let iterator = pango_layout_get_iter(layout) else { return [] }
        defer { pango_layout_iter_free(iterator) }
        var runs: [Run] = []
        repeat {
            guard let item = pango_layout_iter_get_run_readonly(iterator) else { continue }
            var logical = PangoRectangle()
            pango_layout_iter_get_run_extents(iterator, nil, &logical)
            runs.append((item, logical.x, pango_layout_iter_get_baseline(iterator)))
        } while pango_layout_iter_next_run(iterator) != 0
        return runs
    }

    /// Pango units; nil without ink.
    private static func ink(of runs: [Run]) -> (left: Double, top: Double, right: Double, bottom: Double)? {
        var bounds: (left: Double, top: Double, right: Double, bottom: Double)?
        for run in runs {
            var ink = PangoRectangle()
            pango_glyph_string_extents(run.item.pointee.glyphs, run.item.pointee.item.pointee.analysis.font, &ink, nil)
            guard ink.width > 0, ink.height > 0 else { continue }
            let left = (run.x + ink.x).double, top = (run.baseline + ink.y).double
            let right = left + ink.width.double, bottom = top + ink.height.double
            bounds = bounds.map { (min($0.left, left), min($0.top, top), max($0.right, right), max($0.bottom, bottom)) } ?? (left, top, right, bottom)
        }
        return bounds
    }

    private func makeLayout(_ string: String, _ style: TextStyle) -> OpaquePointer? {
        guard style.size > 0, style.size < 2_000, let layout = pango_layout_new(context) else { return nil }
        var text = String(string.prefix(Self.maxCharacters))
        if text.contains("\0") { text = text.replacing("\0", with: "") }
        if style.maxLines == 1, text.contains(where: \.isNewline) { text = String(text.map { $0.isNewline ? " " : $0 }) }
        let description = pango_font_description_new()
        defer { pango_font_description_free(description) }
        pango_font_description_set_family(description, FontSet.familyList(for: text))
        pango_font_description_set_weight(description, PangoWeight(rawValue: UInt32(style.weight.rawValue)))
        pango_font_description_set_absolute_size(description, style.size * Double(PANGO_SCALE))
        pango_layout_set_font_description(layout, description)
        pango_layout_set_text(layout, text, -1)
        pango_layout_set_auto_dir(layout, 1)
        let alignment: PangoAlignment = switch style.alignment {
        case .leading: PANGO_ALIGN_LEFT
        case .center: PANGO_ALIGN_CENTER
        case .trailing: PANGO_ALIGN_RIGHT
        }
        pango_layout_set_alignment(layout, alignment)
        if style.lineSpacing != 0 { pango_layout_set_spacing(layout, Int32(style.lineSpacing * Double(PANGO_SCALE))) }
        if let width = style.maxWidth {
            pango_layout_set_width(layout, Int32(max(1, min(width, 8_192)) * Int(PANGO_SCALE)))
            pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END)
            pango_layout_set_height(layout, Int32(-max(1, style.maxLines)))
            pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
        } else {
            pango_layout_set_width(layout, -1)
        }
        setFeatures(layout, style)
        return layout
    }

    private func setFeatures(_ layout: OpaquePointer, _ style: TextStyle) {
        let attributes = pango_attr_list_new()
        defer { pango_attr_list_unref(attributes) }
        pango_attr_list_insert(attributes, pango_attr_font_features_new(style.tabularDigits ? "tnum,calt" : "calt"))
        pango_layout_set_attributes(layout, attributes)
    }

    /// How many characters of `string` no installed font has; they are drawn as boxes.
    public func unknownGlyphs(in string: String) -> Int {
        guard let layout = makeLayout(string, TextStyle(size: 16)) else { return 0 }
        defer { fascia_unref(UnsafeMutableRawPointer(layout)) }
        return Int(pango_layout_get_unknown_glyphs_count(layout))
    }
}

private extension Int32 {
    var double: Double { Double(self) }
}

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
        var ink = PangoRectangle(), logical = PangoRectangle()
        pango_layout_get_extents(layout, &ink, &logical)
        let scale = Double(PANGO_SCALE)
        let lines = Int(pango_layout_get_line_count(layout))
        let baseline = (Double(pango_layout_get_baseline(layout)) / scale).rounded()
        var lastBaseline = baseline
        if let iterator = pango_layout_get_iter(layout) {
            while pango_layout_iter_next_line(iterator) != 0 {}
            lastBaseline = (Double(pango_layout_iter_get_baseline(iterator)) / scale).rounded()
            pango_layout_iter_free(iterator)
        }
        let rightToLeft = pango_layout_get_line_readonly(layout, 0).map { pango_layout_line_get_resolved_direction($0) == PANGO_DIRECTION_RTL } ?? false
        // With a width set, Pango aligns inside it: the box then starts where the longest line does.
        let left = (Double(logical.x) / scale).rounded(.down)
        let inkLeft = (Double(ink.x) / scale).rounded(.down), inkTop = (Double(ink.y) / scale).rounded(.down)
        let inkWidth = Int((Double(ink.x + ink.width) / scale).rounded(.up) - inkLeft), inkHeight = Int((Double(ink.y + ink.height) / scale).rounded(.up) - inkTop)
        var image: RasterImage?
        if inkWidth > 0, inkHeight > 0, inkWidth <= 8_192, inkHeight <= 8_192 {
            image = Mask.draw(width: inkWidth + 1, height: inkHeight + 1) { cairo in
                // The shift puts the rounded baseline on the pixel grid.
                cairo_move_to(cairo, -inkLeft, -inkTop + baseline - Double(pango_layout_get_baseline(layout)) / scale)
                pango_cairo_show_layout(cairo, layout)
            }
        }
        return Label(image: image, inkX: Int(inkLeft - left), inkY: Int(inkTop), width: Int((Double(logical.width) / scale).rounded(.up)),
                     height: Int((Double(logical.height) / scale).rounded(.up)), baseline: Int(baseline), lastBaseline: Int(lastBaseline), lines: lines,
                     truncated: pango_layout_is_ellipsized(layout) != 0, rightToLeft: rightToLeft)
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

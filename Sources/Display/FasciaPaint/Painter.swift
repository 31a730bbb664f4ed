import CPango
import FasciaScene

/// Paints texts, icons and pictures into immutable images. One thread at a time; it has its own fonts and caches.
public final class Painter {
    let fontMap: UnsafeMutablePointer<PangoFontMap>
    let context: OpaquePointer
    private let config: OpaquePointer
    var labels: ByteLRU<LabelKey, Label>
    var icons: ByteLRU<IconKey, RasterImage>
    var pictures: ByteLRU<PictureKey, RasterImage>
    private var reported: Set<String> = []

    /// Told once of every symbol name that has no icon.
    public var onUnknownSymbol: ((String) -> Void)?

    /// - Parameter cacheBytes: the bound of all caches together.
    /// - Throws: `.missingFont`, naming the Debian package.
    public init(cacheBytes: Int = 12 << 20) throws(PaintError) {
        config = try FontSet.load()
        guard let map = pango_cairo_font_map_new_for_font_type(CAIRO_FONT_TYPE_FT), let context = pango_font_map_create_context(map) else {
            throw PaintError(.missingFont, "Pango was built without FreeType")
        }
        fontMap = map
        self.context = context
        labels = ByteLRU(capacity: cacheBytes / 4)
        icons = ByteLRU(capacity: cacheBytes / 8)
        pictures = ByteLRU(capacity: cacheBytes / 8 * 5)
        pango_fc_font_map_set_config(fascia_fc_font_map(map), config)
        let options = cairo_font_options_create()
        cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
        cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        pango_cairo_context_set_font_options(context, options)
        cairo_font_options_destroy(options)
        pango_context_set_round_glyph_positions(context, 0)
    }

    deinit {
        fascia_unref(UnsafeMutableRawPointer(context))
        fascia_unref(UnsafeMutableRawPointer(fontMap))
        FcConfigDestroy(config)
    }

    /// Bytes of pixels kept in the caches now.
    public var cachedBytes: Int { labels.bytes + icons.bytes + pictures.bytes }

    /// Forgets all cached pixels.
    public func dropCaches() {
        labels.removeAll()
        icons.removeAll()
        pictures.removeAll()
    }

    func reportUnknownSymbol(_ name: String) {
        guard reported.count < 256, reported.insert(name).inserted else { return }
        onUnknownSymbol?(name)
    }
}

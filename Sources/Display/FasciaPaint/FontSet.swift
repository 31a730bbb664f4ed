import CPango

/// The fonts the screens are designed with, and no others: what is drawn must not depend on what else is installed.
/// A private fontconfig configuration also keeps its memory small (a desktop's has hundreds of fonts).
enum FontSet {
    static let text = "Inter"
    static let icons = "Material Icons"

    /// Every other script of the titles the phone may have to show. The CJK faces share one file; which regional shapes to
    /// prefer is chosen per text.
    static let fallbacks = ["Noto Sans", "Noto Sans Arabic", "Noto Sans Hebrew", "Noto Sans Thai", "Noto Sans Devanagari", "Noto Sans Symbols2"]

    private static let families: [(family: String, package: String, files: [String])] = [
        (text, "fonts-inter", ["*/Inter-Regular.*", "*/Inter-Medium.*", "*/Inter-SemiBold.*", "*/Inter-Bold.*"]),
        (icons, "fonts-material-design-icons-iconfont", ["*/MaterialIcons-Regular.ttf"]),
        ("Noto Sans", "fonts-noto-core", ["*/NotoSans*-Regular.*", "*/NotoSans*-Medium.*", "*/NotoSans*-Bold.*"]),
        ("Noto Sans CJK SC", "fonts-noto-cjk", ["*/NotoSansCJK-Regular.*", "*/NotoSansCJK-Bold.*"]),
    ]

    /// Loads the fonts; the error names every Debian package that is missing.
    static func load() throws(PaintError) -> OpaquePointer {
        guard let config = FcConfigCreate() else { throw PaintError(.missingFont, "fontconfig could not start") }
        let accepted = families.flatMap(\.files).map { "<glob>\($0)</glob>" }.joined()
        // By extension: a plain "*" would reject the folders too.
        let rejected = ["ttf", "otf", "ttc", "otc", "pf[ab]", "pcf*", "woff*", "t1", "bdf*", "afm", "dfont"].map { "<glob>*.\($0)</glob>" }.joined()
        let xml = """
            <?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>
            <dir>/usr/share/fonts</dir><dir>/usr/local/share/fonts</dir><dir prefix="xdg">fonts</dir>
            <cachedir>/var/cache/fontconfig</cachedir><cachedir prefix="xdg">fontconfig</cachedir>
            <selectfont><acceptfont>\(accepted)</acceptfont><rejectfont>\(rejected)</rejectfont></selectfont>
            </fontconfig>
            """
        let loaded = xml.withCString { FcConfigParseAndLoadFromMemory(config, $0, FcTrue32) == FcTrue32 } && FcConfigBuildFonts(config) == FcTrue32
        let missing = families.filter { !loaded || !contains($0.family, in: config) }
        guard missing.isEmpty else {
            FcConfigDestroy(config)
            let names = missing.map { "\"\($0.family)\"" }.joined(separator: ", ")
            throw PaintError(.missingFont, "font \(names) not found; install it with: apt-get install \(missing.map(\.package).joined(separator: " "))")
        }
        return config
    }

    private static let FcTrue32: FcBool = 1

    private static func contains(_ family: String, in config: OpaquePointer) -> Bool {
        guard let pattern = FcPatternCreate(), let objects = FcObjectSetCreate() else { return false }
        defer { FcPatternDestroy(pattern); FcObjectSetDestroy(objects) }
        FcPatternAddString(pattern, FC_FAMILY, family)
        guard let found = FcFontList(config, pattern, objects) else { return false }
        defer { FcFontSetDestroy(found) }
        return found.pointee.nfont > 0
    }

    /// The font families to try for `text`, in order.
    static func familyList(for text: String) -> String {
        guard text.utf8.contains(where: { $0 >= 0xE1 }) else { return ([self.text] + fallbacks).joined(separator: ",") }
        var region = "SC"
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x3041...0x30FF: region = "JP"
            case 0xAC00...0xD7AF: region = "KR"
            default: continue
            }
            break
        }
        return ([self.text, "Noto Sans CJK \(region)"] + fallbacks).joined(separator: ",")
    }
}

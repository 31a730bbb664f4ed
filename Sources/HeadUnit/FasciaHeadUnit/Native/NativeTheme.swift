import FasciaScene

/// Colours of the car's own screens, for night and for day. They are those of the phone's screens (its `Palette`): where one takes over from
/// the other, ground and accent stay.
struct NativeTheme: Equatable {
    let backgroundTop: Color
    let backgroundBottom: Color
    let card: Color
    let cardBorder: Color
    /// Over a phone's picture that is frozen.
    let scrim: Color
    let primary: Color
    let secondary: Color
    let accent: Color
    let good: Color
    let bad: Color
    /// The empty part of a bar.
    var track: Color { Color(primary.red, primary.green, primary.blue, 0x2E) }

    /// The sign that the microphone is open.
    static let microphone = Color(0xF2, 0x8C, 0x0F)
    static let microphoneEdge = Color(0x00, 0x00, 0x00, 0x40)
    static let onMicrophone = Color(0x1A, 0x10, 0x00)

    /// Buttons of a call: the same by day and night, as on every telephone.
    static let accept = Color(0x1E, 0x9E, 0x4A)
    static let hangUp = Color(0xD9, 0x30, 0x25)

    static let night = NativeTheme(
        backgroundTop: Color(0x17, 0x1A, 0x21), backgroundBottom: Color(0x0B, 0x0D, 0x11), card: Color(0x26, 0x2A, 0x33), cardBorder: Color(0xFF, 0xFF, 0xFF, 0x1A), scrim: Color(0x00, 0x00, 0x00, 0x99),
        primary: Color(0xF6, 0xF7, 0xF9), secondary: Color(0xBC, 0xC2, 0xCD), accent: Color(0x5A, 0xB4, 0xFF), good: Color(72, 207, 132), bad: Color(0xFF, 0x7A, 0x70))
    static let day = NativeTheme(
        backgroundTop: Color(0xF7, 0xF8, 0xFA), backgroundBottom: Color(0xE9, 0xEB, 0xF0), card: Color(0xFF, 0xFF, 0xFF), cardBorder: Color(0x14, 0x1C, 0x2C, 0x1C), scrim: Color(0x10, 0x14, 0x1C, 0x66),
        primary: Color(0x10, 0x13, 0x18), secondary: Color(0x4A, 0x51, 0x5E), accent: Color(0x09, 0x57, 0xC4), good: Color(15, 130, 72), bad: Color(0xB3, 0x1B, 0x12))
}

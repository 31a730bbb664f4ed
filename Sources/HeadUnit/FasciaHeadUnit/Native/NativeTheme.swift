import FasciaScene

/// Colours of the car's own screens, for night and for day.
struct NativeTheme: Equatable {
    let backgroundTop: Color
    let backgroundBottom: Color
    let card: Color
    let cardBorder: Color
    let primary: Color
    let secondary: Color
    let accent: Color
    let good: Color
    let bad: Color

    static let night = NativeTheme(
        backgroundTop: Color(24, 30, 42), backgroundBottom: Color(8, 10, 15), card: Color(255, 255, 255, 18), cardBorder: Color(255, 255, 255, 28),
        primary: Color(245, 247, 250), secondary: Color(245, 247, 250, 168), accent: Color(94, 172, 255), good: Color(72, 207, 132), bad: Color(255, 112, 102))
    static let day = NativeTheme(
        backgroundTop: Color(247, 249, 252), backgroundBottom: Color(222, 228, 237), card: Color(255, 255, 255), cardBorder: Color(17, 21, 28, 22),
        primary: Color(17, 21, 28), secondary: Color(17, 21, 28, 176), accent: Color(0, 96, 214), good: Color(15, 130, 72), bad: Color(200, 40, 32))
}

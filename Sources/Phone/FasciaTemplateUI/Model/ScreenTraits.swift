import FasciaAppLink
import FasciaWire

/// What the car's screen is like right now.
public struct ScreenTraits: Sendable, Equatable {
    /// Pixels.
    public var width: Int
    public var height: Int
    /// Pixels a point.
    public var scale: Double
    /// The dark appearance.
    public var night: Bool
    public var driverSide: DriverSide
    public var inputs: Set<InputDevice>
    /// The car moves: long lists are cut.
    public var limitedUI: Bool
    /// The time as the status strip shows it, for example `10:09`.
    public var clock: String

    public init(width: Int = 800, height: Int = 480, scale: Double = 2, night: Bool = true, driverSide: DriverSide = .left,
                inputs: Set<InputDevice> = [.touch, .knob], limitedUI: Bool = false, clock: String = "") {
        self.width = width
        self.height = height
        self.scale = scale
        self.night = night
        self.driverSide = driverSide
        self.inputs = inputs
        self.limitedUI = limitedUI
        self.clock = clock
    }

    /// Rows a list shows while the car moves; a common limit of cars (12).
    static let limitedListItems = 12

    /// The same as apps are told it.
    public var appTraits: AppTraits {
        var traits = AppTraits()
        traits.width = Float(Double(width) / scale)
        traits.height = Float(Double(height) / scale)
        traits.scale = Float(scale)
        traits.dark = night
        traits.limitedUi = limitedUI
        traits.touch = inputs.contains(.touch)
        traits.knob = inputs.contains(.knob)
        traits.touchpad = inputs.contains(.touchpad)
        traits.maximumListItems = limitedUI ? UInt32(Self.limitedListItems) : 500
        traits.maximumListSections = 100
        traits.rightHandDrive = driverSide == .right
        return traits
    }
}

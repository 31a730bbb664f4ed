import FasciaTemplateUI
import FasciaWire

extension ScreenTraits {
    /// The first screen of the car, as Welcome describes it.
    init(_ welcome: Welcome, clock: String) {
        let screen = welcome.screens.first ?? Screen()
        self.init(width: Int(screen.width), height: Int(screen.height), scale: screen.scale > 0 ? Double(screen.scale) : 1,
                  night: welcome.vehicle.night, driverSide: welcome.vehicle.driverSide, inputs: Set(welcome.inputDevices),
                  limitedUI: welcome.vehicle.limitedUi, clock: clock)
    }

    mutating func update(_ vehicle: VehicleState) {
        night = vehicle.night
        driverSide = vehicle.driverSide
        limitedUI = vehicle.limitedUi
    }
}

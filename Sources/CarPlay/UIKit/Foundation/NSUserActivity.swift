/// An activity handed between devices. Declared for delegates that mention it; none ever arrives on a car screen.
open class NSUserActivity: NSObject, @unchecked Sendable {
    public let activityType: String
    public init(activityType: String) {
        self.activityType = activityType
        super.init()
    }
}

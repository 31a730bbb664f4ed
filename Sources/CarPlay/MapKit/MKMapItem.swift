/// An address at a coordinate.
open class MKPlacemark: NSObject, @unchecked Sendable {
    public let coordinate: CLLocationCoordinate2D
    public let title: String?
    public let subtitle: String?
    public var location: CLLocation? { CLLocation(latitude: coordinate.latitude, longitude: coordinate.longitude) }

    init(coordinate: CLLocationCoordinate2D, title: String?, subtitle: String? = nil) {
        self.coordinate = coordinate
        self.title = title
        self.subtitle = subtitle
        super.init()
    }

    public convenience init(coordinate: CLLocationCoordinate2D) { self.init(coordinate: coordinate, title: nil) }

    public convenience init(coordinate: CLLocationCoordinate2D, addressDictionary: [String: Any]?) {
        self.init(coordinate: coordinate, title: addressDictionary?["Name"] as? String)
    }
}

/// A place with what is known about it.
open class MKMapItem: NSObject {
    public let placemark: MKPlacemark
    open var name: String?
    open var phoneNumber: String?
    open var url: URL?
    open var timeZone: TimeZone?

    public init(placemark: MKPlacemark) {
        self.placemark = placemark
        name = placemark.title
        super.init()
    }

    /// The place of the device, whose coordinate an app does not learn from it.
    open class func forCurrentLocation() -> MKMapItem {
        let item = MKMapItem(placemark: MKPlacemark(coordinate: kCLLocationCoordinate2DInvalid))
        item.name = "Current Location"
        return item
    }
}

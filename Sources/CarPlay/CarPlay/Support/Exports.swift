// `import CarPlay` brings these with it, as Apple's module does; app code relies on it.
@_exported import Foundation
@_exported import MapKit
@_exported import UIKit

import Foundation

/// Artwork made by the app for the size asked for.
open class MPMediaItemArtwork: NSObject, @unchecked Sendable {
    /// Points.
    public let bounds: CGRect
    private let requestHandler: @Sendable (CGSize) -> UIImage
    private let lock = NSLock()
    private var made: UIImage?

    public init(boundsSize: CGSize, requestHandler: @escaping @Sendable (CGSize) -> UIImage) {
        bounds = CGRect(origin: .zero, size: boundsSize)
        self.requestHandler = requestHandler
        super.init()
    }

    public convenience init(image: UIImage) { self.init(boundsSize: image.size) { _ in image } }

    open func image(at size: CGSize) -> UIImage? { requestHandler(size) }

    /// What the car shows, asked for once.
    var displayed: UIImage {
        lock.withLock {
            if let made { return made }
            let image = requestHandler(bounds.size)
            made = image
            return image
        }
    }
}

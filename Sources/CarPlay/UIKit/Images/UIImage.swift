import FasciaAppLink
import FasciaAppRuntime

/// An image: a file's bytes, or a symbol by name. Drawn by the phone; the app checks only that the bytes are an image.
open class UIImage: NSObject, _ExpressibleByImageLiteral, @unchecked Sendable {
    public enum RenderingMode: Int, Sendable { case automatic, alwaysOriginal, alwaysTemplate }
    public enum Orientation: Int, Sendable { case up, down, left, right, upMirrored, downMirrored, leftMirrored, rightMirrored }

    let content: ImageContent
    public let renderingMode: RenderingMode
    public let configuration: Configuration?
    /// The frames of an animated image made by `animatedImage(with:duration:)`; templates use the first.
    public let images: [UIImage]?
    public let duration: TimeInterval

    init(
        content: ImageContent, renderingMode: RenderingMode = .automatic, configuration: Configuration? = nil, images: [UIImage]? = nil,
        duration: TimeInterval = 0
    ) {
        self.content = content
        self.renderingMode = renderingMode
        self.configuration = configuration
        self.images = images
        self.duration = duration
        super.init()
    }

    /// An empty image of no size.
    public override convenience init() { self.init(content: ImageContent(source: .empty, pixelSize: .zero, scale: 1)) }

    /// The image's bytes. Nil for what is not an image, or one with a side above 16,384 pixels.
    public convenience init?(data: Data) { self.init(data: data, scale: 1) }

    public convenience init?(data: Data, scale: CGFloat) {
        guard let content = ImageContent.encoded([UInt8](data), scale: scale) else { return nil }
        self.init(content: content)
    }

    public convenience init?(contentsOfFile path: String) {
        guard let content = ImageAssets.content(ofFile: path) else { return nil }
        self.init(content: content)
    }

    /// An image of the app's resources; see `Name`, `Name@2x`, `Name@3x`, `Name~dark`.
    public convenience init?(named name: String) {
        self.init(named: name, in: nil)
    }

    public convenience init?(named name: String, in bundle: Bundle?, compatibleWith traitCollection: UITraitCollection?) {
        self.init(named: name, in: bundle)
    }

    public convenience init?(named name: String, in bundle: Bundle?, with configuration: Configuration?) {
        self.init(named: name, in: bundle)
    }

    private convenience init?(named name: String, in bundle: Bundle?) {
        let own = bundle == nil || bundle === Bundle.main ? AppResources.directory : bundle?.resourcePath
        guard let directory = own, let content = ImageAssets.content(named: name, in: directory) else { return nil }
        self.init(content: content)
    }

    /// A symbol by its SF Symbols name. The phone draws the nearest one of its own symbol font.
    public convenience init?(systemName name: String) { self.init(systemName: name, withConfiguration: nil) }

    public convenience init?(systemName name: String, compatibleWith traitCollection: UITraitCollection?) {
        self.init(systemName: name, withConfiguration: nil)
    }

    public convenience init?(systemName name: String, withConfiguration configuration: Configuration?) {
        let legal = !name.isEmpty && name.utf8.count <= 100 && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == ".") }
        guard legal else { return nil }
        let content = ImageCache.shared.content("symbol:\(name)") {
            ImageContent(source: .symbol(name), pixelSize: .zero, scale: 1, isTemplate: true)
        }
        guard let content else { return nil }
        self.init(content: content, configuration: configuration)
    }

    /// `#imageLiteral(resourceName:)`; an empty image when there is none of that name.
    public required convenience init(imageLiteralResourceName name: String) {
        let content = AppResources.directory.flatMap { ImageAssets.content(named: name, in: $0) }
        self.init(content: content ?? ImageContent(source: .empty, pixelSize: .zero, scale: 1))
    }

    /// An animated image; CarPlay templates show its first frame.
    public class func animatedImage(with images: [UIImage], duration: TimeInterval) -> UIImage? {
        guard let first = images.first else { return nil }
        return UIImage(content: first.content, renderingMode: first.renderingMode, images: images, duration: duration)
    }

    /// Points.
    public var size: CGSize {
        if case .symbol = content.source { return CGSize(width: 20, height: 20) }
        return CGSize(width: content.pixelSize.width / content.scale, height: content.pixelSize.height / content.scale)
    }

    /// Pixels a point.
    public var scale: CGFloat { content.scale }
    public var imageOrientation: Orientation { .up }
    public var isSymbolImage: Bool {
        if case .symbol = content.source { return true }
        return false
    }

    open func withRenderingMode(_ renderingMode: RenderingMode) -> UIImage {
        let template = renderingMode == .alwaysTemplate || (renderingMode == .automatic && isSymbolImage)
        return UIImage(content: content.with(isTemplate: template, tint: content.tint), renderingMode: renderingMode, configuration: configuration)
    }

    open func withTintColor(_ color: UIColor) -> UIImage { withTintColor(color, renderingMode: renderingMode) }

    open func withTintColor(_ color: UIColor, renderingMode: RenderingMode) -> UIImage {
        UIImage(content: content.with(isTemplate: true, tint: color.rgba), renderingMode: renderingMode, configuration: configuration)
    }

    open func withConfiguration(_ configuration: Configuration) -> UIImage {
        UIImage(content: content, renderingMode: renderingMode, configuration: configuration)
    }

    open func applyingSymbolConfiguration(_ configuration: SymbolConfiguration) -> UIImage? { withConfiguration(configuration) }

    /// The image as a PNG file; nil for symbols and for bytes that turn out not to decode.
    public func pngData() -> Data? {
        guard case .encoded(let bytes) = content.source else { return nil }
        if bytes.starts(with: [0x89, 0x50, 0x4e, 0x47]) { return Data(bytes) }
        return ImageConversion.convert(bytes, to: .png)
    }

    /// The image as a JPEG file.
    /// - Parameter compressionQuality: 0 (smallest) to 1 (best).
    public func jpegData(compressionQuality: CGFloat) -> Data? {
        guard case .encoded(let bytes) = content.source else { return nil }
        return ImageConversion.convert(bytes, to: .jpeg(Int(min(1, max(0, compressionQuality)) * 100)))
    }

    open override func isEqual(_ object: Any?) -> Bool { (object as? UIImage)?.content === content }
    open override var hash: Int { ObjectIdentifier(content).hashValue }
}

extension UIImage: ImageSource {
    package var imageID: UInt64 { content.token.id }

    package func encodeImage(_ encoder: TemplateEncoder) -> AppImage? {
        var image = AppImage()
        switch content.source {
        case .encoded(let bytes): image.encoded = Data(bytes)
        case .symbol(let name): image.systemName = name
        case .empty: return nil
        }
        image.id = imageID
        image.scale = Float(content.scale)
        image.template = content.isTemplate
        image.tint = content.tint
        if let dark = content.dark { image.darkImage = encoder.image(UIImage(content: dark)) }
        return image
    }
}

/// What the compiler makes of `#imageLiteral`.
public typealias _ImageLiteralType = UIImage

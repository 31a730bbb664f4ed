import FasciaAppLink
import FasciaAppRuntime

public enum CPTextButtonStyle: Int, Sendable { case normal, cancel, confirm }

/// A button with a title, at the foot of an information screen.
open class CPTextButton: NSObject {
    let owners = Owners()
    let handler: ((CPTextButton) -> Void)?

    open var textStyle: CPTextButtonStyle { didSet { owners.templateChanged() } }
    open var title: String { didSet { owners.templateChanged() } }

    public init(title: String, textStyle: CPTextButtonStyle, handler: ((CPTextButton) -> Void)? = nil) {
        self.title = title
        self.textStyle = textStyle
        self.handler = handler
        super.init()
    }

    func encode(owner: UInt64) -> AppTextButton {
        owners.add(owner)
        var message = AppTextButton()
        message.element = owners.element
        message.title = title
        message.style = textStyle == .cancel ? .cancel : textStyle == .confirm ? .confirm : .normal
        return message
    }
}

/// An image in two appearances.
open class CPImageSet: NSObject, _CPCoding {
    public let lightContentImage: UIImage
    public let darkContentImage: UIImage

    public init(lightContentImage: UIImage, darkContentImage: UIImage) {
        self.lightContentImage = lightContentImage
        self.darkContentImage = darkContentImage
        super.init()
    }

    public required convenience init?(coder: NSCoder) { return nil }
}
